import { snapshot, type Snapshot } from "./account.js";
import { asText, isFields, isList } from "./json.js";
import type { Made } from "./journal.js";
import type { Identity, Run, Stage } from "./stage.js";
import type { Json, NamedFacts, OperationFacts } from "./suite.js";
import { sweep } from "./sweep.js";

/**
 * Records the objects that a successful request named, and may have created. Skips what the account had before the run, and other accounts
 * than the lane's, whose earlier objects are unknown.
 */
export function noteNamed(
  operation: string,
  { names = [] }: OperationFacts,
  { body, by, stage }: { readonly body: Json; readonly by: Identity; readonly stage: Stage },
): void {
  const { run, lane, trail } = stage;
  if (by.account !== lane.main.account) return;
  for (const facts of names)
    for (const value of valuesAt(body, facts.at.split("/").slice(1))) {
      if (value === null || isFields(value) || isList(value)) continue;
      const made = madeByNaming(operation, facts, { value, by });
      if (!isIn(lane.had, made, run)) run.ledger.add({ made, maker: by, lane, trail });
    }
}

/**
 * Deletes the objects that the lane has named, that exist now and that did not exist before.
 *
 * @returns One message for each object that remains.
 */
export async function takeNamed(stage: Stage): Promise<readonly string[]> {
  const { run, lane } = stage;
  const named = run.ledger.named(lane);
  if (named.length === 0) return [];
  const now = await snapshot(stage, new Set(named.map(({ made }) => made.resource)));
  const known = named.filter(({ made }) => isListed(lane.had, made, run) && isListed(now, made, run));
  const there = known.filter(({ made }) => isIn(now, made, run));
  for (const each of known) if (!there.includes(each)) run.ledger.remove(each.made);
  return sweep(there, stage);
}

/** True for an object that this run has created: its name begins with the run's tag, which is unique. */
export function isNamedByRun({ path }: Pick<Made, "path">, tag: string): boolean {
  return Object.values(path).some((value) => asText(value).startsWith(tag));
}

function madeByNaming(
  operation: string,
  { resource, remove }: NamedFacts,
  { value, by }: { readonly value: Json; readonly by: Identity },
): Made {
  return {
    operation,
    resource,
    remove: remove.call,
    path: { [remove.parameter]: value },
    account: by.account,
    username: by.username,
    named: true,
  };
}

function valuesAt(value: Json, [part, ...rest]: readonly string[]): readonly Json[] {
  if (part === undefined) return [value];
  const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
  const isEach = part === "*" && (isList(value) || isFields(value));
  if (isEach) return Object.values<Json>(value).flatMap((each) => valuesAt(each, rest));
  return isFields(value) && Object.hasOwn(value, key) ? valuesAt(value[key] ?? null, rest) : [];
}

function isIn(had: Snapshot, made: Made, run: Run): boolean {
  return Object.values(made.path).some((name) => listsOf(had, made, run).some((ids) => ids.has(asText(name))));
}

function isListed(had: Snapshot, made: Made, run: Run): boolean {
  return listsOf(had, made, run).length > 0;
}

function listsOf(had: Snapshot, { resource }: Made, { suite }: Run): readonly ReadonlySet<string>[] {
  return [...had].flatMap(([list, ids]) => (suite.operations[list]?.lists === resource ? [ids] : []));
}
