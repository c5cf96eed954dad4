import { decodeResponse, type DecodedResponse } from "../assert/response-validation.js";
import { NoResponseError } from "../http/http-client.js";
import { toText, isJsonObject, isJsonArray } from "../values/json.js";
import { prepareRequest } from "../http/request.js";
import type { StepContext } from "../run/step-context.js";
import type { Json, OperationInfo, Suite } from "../suite.js";

/** The ids in each list of an account, by the operation that lists them. */
export type AccountSnapshot = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Reads every list of the resources that a run can create and delete, or of `resources` alone. Skips a list that responds with an error.
 */
export async function readAccountSnapshot(
  stage: StepContext,
  resources?: ReadonlySet<string>,
): Promise<AccountSnapshot> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const [name, facts] of listsOf(stage.run.suite)) {
    if (resources?.has(facts.lists ?? "") === false) continue;
    const ids = await idsOf(name, facts, stage);
    if (ids !== undefined) found.set(name, ids);
  }
  return found;
}

/** Describes the objects that the run added to the worker's account or removed from it. Retries while jobs of the platform still run. */
export async function findAccountChanges(stage: StepContext): Promise<readonly string[]> {
  const { clock, timer } = stage.run;
  for (let tries = 1; ; tries++) {
    if (clock.isControlled) await clock.settle(stage);
    const found = describeChanges(await readAccountSnapshot(stage), stage);
    if (found.length === 0 || tries === (clock.isControlled ? 3 : 8)) return found;
    if (!clock.isControlled) await timer.wait(Math.min(250 * 2 ** tries, 10_000));
  }
}

function describeChanges(after: AccountSnapshot, { run, worker }: StepContext): readonly string[] {
  const whose = worker.account === null ? "The account" : `The account ${worker.account}`;
  return [...after].flatMap(([list, ids]) => {
    const earlier = worker.initialSnapshot.get(list);
    if (earlier === undefined) return [];
    const resource = run.suite.operations[list]?.lists ?? list;
    const left = [...ids].filter((id) => !earlier.has(id) && !run.controlIds.has(id));
    const lost = [...earlier].filter((id) => !ids.has(id));
    return [
      ...left.map((id) => `${whose} has ${resource} ${id}, which it did not have before the run (${list}).`),
      ...lost.map((id) => `${whose} had ${resource} ${id} before the run, and it is gone now (${list}).`),
    ];
  });
}

/** Lists of resources that no operation deletes, such as events, are left out: every run adds to them. */
function listsOf({ operations }: Suite): readonly (readonly [string, OperationInfo])[] {
  const removable = new Set(
    Object.values(operations).flatMap(({ creates, sideEffects = [] }) => [
      ...(creates?.deletedBy === undefined ? [] : [creates.resource]),
      ...sideEffects.map(({ resource }) => resource),
    ]),
  );
  return Object.entries(operations).filter(
    ([, { lists, path }]) => lists !== undefined && removable.has(lists) && !path.includes("{"),
  );
}

/** Bounds the loop against a server that always reports another page. */
const maxPages = 200;

async function idsOf(name: string, facts: OperationInfo, stage: StepContext): Promise<ReadonlySet<string> | undefined> {
  const ids = new Set<string>();
  const hasPages = facts.parameters.some((each) => each.in === "query" && each.name === "page");
  for (let page = 1; page <= maxPages; page++) {
    const answer = await requestPage(name, facts, { page: page > 1 ? page : undefined, stage });
    const items = itemsOf(answer?.body ?? null);
    if (answer === undefined || items === undefined) return undefined;
    for (const each of items) ids.add(idOf(each));
    const pages = isJsonObject(answer.body) ? answer.body["pages"] : undefined;
    if (!hasPages || items.length === 0 || typeof pages !== "number" || page >= pages) break;
  }
  return ids;
}

async function requestPage(
  call: string,
  facts: OperationInfo,
  { page, stage }: { readonly page: number | undefined; readonly stage: StepContext },
): Promise<DecodedResponse | undefined> {
  const { run, worker } = stage;
  const step = { call, ...(page === undefined ? {} : { query: { page } }) };
  const { request } = prepareRequest(step, {
    url: run.options.url.replace(/\/$/, ""),
    info: facts,
    values: stage.values,
    caller: worker.main,
    userAgent: `${run.suite.command}/${run.suite.version}`,
  });
  run.requests.sent++;
  try {
    const answer = decodeResponse(await run.http.send(request));
    return answer.status >= 200 && answer.status < 300 ? answer : undefined;
  } catch (error) {
    if (error instanceof NoResponseError) return undefined;
    throw error;
  }
}

/** The body itself if it is an array, else its first array. */
function itemsOf(body: Json): readonly Json[] | undefined {
  if (isJsonArray(body)) return body;
  return isJsonObject(body) ? Object.values(body).find(isJsonArray) : undefined;
}

function idOf(item: Json): string {
  if (!isJsonObject(item)) return toText(item);
  const named = item["id"] ?? item["label"] ?? item["name"];
  return toText(named ?? item);
}
