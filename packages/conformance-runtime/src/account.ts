import { receive, type Received } from "./documented.js";
import { NoAnswer } from "./http.js";
import { asText, isFields, isList } from "./json.js";
import { prepare } from "./request.js";
import type { Stage } from "./stage.js";
import type { Json, OperationFacts, Suite } from "./suite.js";

/** What an account has: the ids in each of its lists, by the operation that lists them. */
export type Snapshot = ReadonlyMap<string, ReadonlySet<string>>;

/** Asks all lists of what a run can make and take away, or those of these resources. A list that is refused is left out. */
export async function snapshot(stage: Stage, resources?: ReadonlySet<string>): Promise<Snapshot> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const [name, facts] of listsOf(stage.run.suite)) {
    if (resources?.has(facts.lists ?? "") === false) continue;
    const ids = await idsOf(name, facts, stage);
    if (ids !== undefined) found.set(name, ids);
  }
  return found;
}

/** What the lane's account has and had not before the run, or the other way round, in words. What ends late is waited for. */
export async function changes(stage: Stage): Promise<readonly string[]> {
  const { clock, timer } = stage.run;
  for (let tries = 1; ; tries++) {
    if (clock.isControlled) await clock.settle(stage);
    const found = differences(await snapshot(stage), stage);
    if (found.length === 0 || tries === (clock.isControlled ? 3 : 8)) return found;
    if (!clock.isControlled) await timer.wait(Math.min(250 * 2 ** tries, 10_000));
  }
}

function differences(after: Snapshot, { run, lane }: Stage): readonly string[] {
  const whose = lane.account === null ? "The account" : `The account ${lane.account}`;
  return [...after].flatMap(([list, ids]) => {
    const earlier = lane.had.get(list);
    if (earlier === undefined) return [];
    const resource = run.suite.operations[list]?.lists ?? list;
    const left = [...ids].filter((id) => !earlier.has(id) && !run.controlled.has(id));
    const lost = [...earlier].filter((id) => !ids.has(id));
    return [
      ...left.map((id) => `${whose} has ${resource} ${id}, which it did not have before the run (${list}).`),
      ...lost.map((id) => `${whose} had ${resource} ${id} before the run, and has it no more (${list}).`),
    ];
  });
}

/** Of what nothing takes away, such as events, a run leaves more by its nature. */
function listsOf({ operations }: Suite): readonly (readonly [string, OperationFacts])[] {
  const removable = new Set(
    Object.values(operations).flatMap(({ makes, names = [] }) => [
      ...(makes?.remove === undefined ? [] : [makes.resource]),
      ...names.map(({ resource }) => resource),
    ]),
  );
  return Object.entries(operations).filter(
    ([, { lists, path }]) => lists !== undefined && removable.has(lists) && !path.includes("{"),
  );
}

/** No list of ours has more pages than this: a server that goes on forever is not asked forever. */
const mostPages = 200;

async function idsOf(name: string, facts: OperationFacts, stage: Stage): Promise<ReadonlySet<string> | undefined> {
  const ids = new Set<string>();
  const hasPages = facts.parameters.some((each) => each.in === "query" && each.name === "page");
  for (let page = 1; page <= mostPages; page++) {
    const answer = await ask(name, facts, { page: page > 1 ? page : undefined, stage });
    const items = itemsOf(answer?.body ?? null);
    if (answer === undefined || items === undefined) return undefined;
    for (const each of items) ids.add(idOf(each));
    const pages = isFields(answer.body) ? answer.body["pages"] : undefined;
    if (!hasPages || items.length === 0 || typeof pages !== "number" || page >= pages) break;
  }
  return ids;
}

async function ask(
  call: string,
  facts: OperationFacts,
  { page, stage }: { readonly page: number | undefined; readonly stage: Stage },
): Promise<Received | undefined> {
  const { run, lane } = stage;
  const step = { call, ...(page === undefined ? {} : { query: { page } }) };
  const { sent } = prepare(step, {
    url: run.options.url.replace(/\/$/, ""),
    facts,
    values: stage.values,
    by: lane.main,
    userAgent: `${run.suite.command}/${run.suite.version}`,
  });
  run.requests.sent++;
  try {
    const answer = receive(await run.http.send(sent));
    return answer.status >= 200 && answer.status < 300 ? answer : undefined;
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

/** The body itself, or the first list in it. */
function itemsOf(body: Json): readonly Json[] | undefined {
  if (isList(body)) return body;
  return isFields(body) ? Object.values(body).find(isList) : undefined;
}

function idOf(item: Json): string {
  if (!isFields(item)) return asText(item);
  const named = item["id"] ?? item["label"] ?? item["name"];
  return asText(named ?? item);
}
