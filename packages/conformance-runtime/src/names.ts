import { snapshot, type Snapshot } from "./account.js";
import { asText, isFields, isList } from "./json.js";
import type { Made } from "./journal.js";
import type { Identity, Run, Stage } from "./stage.js";
import type { Json, NamedFacts, OperationFacts } from "./suite.js";
import { sweep } from "./sweep.js";

/**
 * Remembers what a success has named, and so made where it was not there yet. What the account had before the run is nobody's to take
 * away; of other accounts than the lane's that is not known.
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

/** Takes away what the lane has named, is there, and was not there before. Gives what is left behind, in words. */
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

/** What a run surely has made itself: its name begins with the tag of the run, which nobody used before. */
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
