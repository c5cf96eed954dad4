import {
  addIssue,
  addIssueAt,
  isValid,
  maxIssues,
  type Check,
  type Issue,
  type Issues,
  isObject,
  ownField,
} from "../../http/index.js";

/** `anyOf`: at least one branch has to be valid. */
export function anyOf(value: unknown, issues: Issues, branches: readonly Check[], reject?: boolean): void {
  const found: Issues[] = [];
  for (const branch of branches) {
    const branchIssues = issuesOf(branch, value, reject);
    if (branchIssues.length === 0) return;
    found.push(branchIssues);
  }
  reportClosestBranch(issues, found);
}

/** `oneOf`: exactly one branch has to be valid. */
export function oneOf(value: unknown, issues: Issues, branches: readonly Check[], reject?: boolean): void {
  const found = branches.map((branch) => issuesOf(branch, value, reject));
  const fitting = found.filter((branchIssues) => branchIssues.length === 0).length;
  if (fitting === 0) reportClosestBranch(issues, found);
  else if (fitting > 1) addIssue(issues, "oneOf");
}

/** `discriminator`: a property names the branch that has to be valid. */
export function discriminator(
  value: unknown,
  issues: Issues,
  field: string,
  branches: Readonly<Record<string, Check>>,
  reject?: boolean,
): void {
  if (!isObject(value)) return addIssue(issues, "type", "object");
  const tag = ownField(value, field);
  if (tag === undefined || tag === null) return addIssueAt(issues, field, "required");
  const branch = typeof tag === "string" && Object.hasOwn(branches, tag) ? branches[tag] : undefined;
  if (branch === undefined) return addIssueAt(issues, field, "enum", Object.keys(branches));
  branch(value, issues, reject);
}

/** Adds an issue for each undocumented property. */
export function rejectUnknown(value: unknown, issues: Issues, known: ReadonlySet<unknown>): void {
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) if (!known.has(key)) addIssueAt(issues, key, "unknown");
}

function issuesOf(check: Check, value: unknown, reject: boolean | undefined): Issues {
  const issues: Issues = [];
  check(value, issues, reject);
  return issues;
}

/**
 * Reports the issues of the branch that the client probably meant: the one whose discriminator it sent, or else the one with the fewest
 * mismatches of types and constants near the top, then the fewest issues. If no branch stands out, reports a single issue.
 */
function reportClosestBranch(issues: Issues, found: readonly Issues[]): void {
  const tags = discriminatorsOf(found);
  const ranked = found
    .map((branchIssues) => ({
      issues: branchIssues,
      discriminatorMismatches: branchIssues.filter((issue) => issue.code === "const" && tags.has(issue.path.join(".")))
        .length,
      typeMismatches: branchIssues.filter(isTypeMismatch).length,
    }))
    .toSorted(
      (a, b) =>
        a.discriminatorMismatches - b.discriminatorMismatches ||
        a.typeMismatches - b.typeMismatches ||
        a.issues.length - b.issues.length,
    );
  const [best, next] = ranked;
  if (best === undefined) return addIssue(issues, "false");
  const isOneValue = found.every((branchIssues) => branchIssues.every(({ path }) => path.length === 0));
  const standsOut =
    next === undefined ||
    best.discriminatorMismatches < next.discriminatorMismatches ||
    best.typeMismatches < next.typeMismatches;
  if (standsOut || isOneValue) issues.push(...best.issues.slice(0, Math.max(0, maxIssues - issues.length)));
  else if (!issues.some((known) => isReported(known, best.issues[0]))) addIssue(issues, "union", best.issues[0]);
}

/** Whether another part of the schema has reported the issue already. */
function isReported(known: Issue, best: Issue | undefined): boolean {
  return known.code === best?.code && known.path.join(".") === best.path.join(".");
}

/** Properties for which branches require different constants, so that they discriminate branches. */
function discriminatorsOf(found: readonly Issues[]): ReadonlySet<string> {
  const wanted = new Map<string, Set<unknown>>();
  for (const { path, code, first } of found.flat()) {
    if (code !== "const" || path.length !== 1) continue;
    const field = String(path[0]);
    wanted.set(field, (wanted.get(field) ?? new Set()).add(first));
  }
  return new Set([...wanted].flatMap(([field, values]) => (values.size > 1 ? [field] : [])));
}

function isTypeMismatch({ path, code }: Issue): boolean {
  return path.length < 2 && (code === "const" || code === "enum" || code === "type" || code === "false");
}

/**
 * Removes issues, from an index on, of properties whose values are valid as the server serializes them: a client that sends back what it read changes
 * nothing. Only the server knows whether a value equals the stored one.
 */
export function acceptEchoedValues(
  value: unknown,
  issues: Issues,
  from: number,
  echoed: Readonly<Record<string, Check>>,
): void {
  if (issues.length === from || !isObject(value)) return;
  const fits = new Map<unknown, boolean>();
  const isEchoed = (field: unknown): boolean => {
    if (typeof field !== "string" || !Object.hasOwn(echoed, field) || !Object.hasOwn(value, field)) return false;
    const check = echoed[field];
    if (!fits.has(field)) fits.set(field, check !== undefined && isValid(check, value[field]));
    return fits.get(field) === true;
  };
  const remaining = issues.slice(from).filter(({ path }) => !isEchoed(path[0]));
  issues.splice(from, issues.length - from, ...remaining);
}
