import { receive, type Received } from "./documented.js";
import { NoAnswer } from "./http.js";
import { asText, isFields, isList } from "./json.js";
import { prepare } from "./request.js";
import type { Stage } from "./stage.js";
import type { Json, OperationFacts, Suite } from "./suite.js";

/** The ids in each list of an account, by the operation that lists them. */
export type Snapshot = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Reads every list of the resources that a run can create and delete, or of `resources` alone. Skips a list that responds with an error.
 */
export async function snapshot(stage: Stage, resources?: ReadonlySet<string>): Promise<Snapshot> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const [name, facts] of listsOf(stage.run.suite)) {
    if (resources?.has(facts.lists ?? "") === false) continue;
    const ids = await idsOf(name, facts, stage);
    if (ids !== undefined) found.set(name, ids);
  }
  return found;
}

/** Describes the objects that the run added to the lane's account or removed from it. Retries while jobs of the platform still run. */
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
      ...lost.map((id) => `${whose} had ${resource} ${id} before the run, and it is gone now (${list}).`),
    ];
  });
}

/** Lists of resources that no operation deletes, such as events, are left out: every run adds to them. */
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

/** Bounds the loop against a server that always reports another page. */
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

/** The body itself if it is an array, else its first array. */
function itemsOf(body: Json): readonly Json[] | undefined {
  if (isList(body)) return body;
  return isFields(body) ? Object.values(body).find(isList) : undefined;
}

function idOf(item: Json): string {
  if (!isFields(item)) return asText(item);
  const named = item["id"] ?? item["label"] ?? item["name"];
  return asText(named ?? item);
}
