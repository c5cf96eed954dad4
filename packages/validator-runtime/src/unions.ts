import { fail, failAt, holds, mostFaults, type Check, type Fault, type Faults } from "./faults.js";
import { isObject, ownField } from "./values.js";

/** `anyOf`: at least one branch has to be valid. */
export function matchAny(value: unknown, faults: Faults, branches: readonly Check[], reject?: boolean): void {
  const found: Faults[] = [];
  for (const branch of branches) {
    const wrong = faultsOf(branch, value, reject);
    if (wrong.length === 0) return;
    found.push(wrong);
  }
  tellBest(faults, found);
}

/** `oneOf`: exactly one branch has to be valid. */
export function matchOne(value: unknown, faults: Faults, branches: readonly Check[], reject?: boolean): void {
  const found = branches.map((branch) => faultsOf(branch, value, reject));
  const fitting = found.filter((wrong) => wrong.length === 0).length;
  if (fitting === 0) tellBest(faults, found);
  else if (fitting > 1) fail(faults, "variant");
}

/** `discriminator`: a property names the branch that has to be valid. */
export function matchTagged(
  value: unknown,
  faults: Faults,
  field: string,
  branches: Readonly<Record<string, Check>>,
  reject?: boolean,
): void {
  if (!isObject(value)) return fail(faults, "type", "object");
  const tag = ownField(value, field);
  if (tag === undefined || tag === null) return failAt(faults, field, "required");
  const branch = typeof tag === "string" && Object.hasOwn(branches, tag) ? branches[tag] : undefined;
  if (branch === undefined) return failAt(faults, field, "enum", Object.keys(branches));
  branch(value, faults, reject);
}

/** Adds a fault for each undocumented property. */
export function refuseUnknown(value: unknown, faults: Faults, known: ReadonlySet<unknown>): void {
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) if (!known.has(key)) failAt(faults, key, "unknown");
}

function faultsOf(check: Check, value: unknown, reject: boolean | undefined): Faults {
  const faults: Faults = [];
  check(value, faults, reject);
  return faults;
}

/**
 * Reports the faults of the branch that the client probably meant: the one whose discriminator it sent, or else the one with the fewest
 * mismatches of types and constants near the top, then the fewest faults. If no branch stands out, reports a single fault.
 */
function tellBest(faults: Faults, found: readonly Faults[]): void {
  const tags = tagsOf(found);
  const ranked = found
    .map((wrong) => ({
      wrong,
      mistagged: wrong.filter((fault) => fault.code === "const" && tags.has(fault.path.join("."))).length,
      strangeness: wrong.filter(isOfAnotherKind).length,
    }))
    .toSorted((a, b) => a.mistagged - b.mistagged || a.strangeness - b.strangeness || a.wrong.length - b.wrong.length);
  const [best, next] = ranked;
  if (best === undefined) return fail(faults, "never");
  const isOneValue = found.every((wrong) => wrong.every(({ path }) => path.length === 0));
  const standsOut = next === undefined || best.mistagged < next.mistagged || best.strangeness < next.strangeness;
  if (standsOut || isOneValue) faults.push(...best.wrong.slice(0, Math.max(0, mostFaults - faults.length)));
  else if (!faults.some((known) => isTold(known, best.wrong[0]))) fail(faults, "union", best.wrong[0]);
}

/** Whether another part of the schema has reported the fault already. */
function isTold(known: Fault, best: Fault | undefined): boolean {
  return known.code === best?.code && known.path.join(".") === best.path.join(".");
}

/** Properties for which branches require different constants, so that they discriminate branches. */
function tagsOf(found: readonly Faults[]): ReadonlySet<string> {
  const wanted = new Map<string, Set<unknown>>();
  for (const { path, code, first } of found.flat()) {
    if (code !== "const" || path.length !== 1) continue;
    const field = String(path[0]);
    wanted.set(field, (wanted.get(field) ?? new Set()).add(first));
  }
  return new Set([...wanted].flatMap(([field, values]) => (values.size > 1 ? [field] : [])));
}

function isOfAnotherKind({ path, code }: Fault): boolean {
  return path.length < 2 && (code === "const" || code === "enum" || code === "type" || code === "never");
}

/**
 * Removes faults, from an index on, of properties whose values are valid as the server serializes them: a client that sends back what it read changes
 * nothing. Only the server knows whether a value equals the stored one.
 */
export function acceptShown(
  value: unknown,
  faults: Faults,
  from: number,
  shown: Readonly<Record<string, Check>>,
): void {
  if (faults.length === from || !isObject(value)) return;
  const fits = new Map<unknown, boolean>();
  const isShown = (field: unknown): boolean => {
    if (typeof field !== "string" || !Object.hasOwn(shown, field) || !Object.hasOwn(value, field)) return false;
    const check = shown[field];
    if (!fits.has(field)) fits.set(field, check !== undefined && holds(check, value[field]));
    return fits.get(field) === true;
  };
  const left = faults.slice(from).filter(({ path }) => !isShown(path[0]));
  faults.splice(from, faults.length - from, ...left);
}
