import { isJsonObject } from "@plumbline/kit/model";

/** Reports a problem of the settings: its location, a message, and what to do. */
export type ReportProblem = (at: readonly string[], message: string, fix: string) => void;

export interface KnownNames {
  readonly operations: readonly string[];
  /** The operations whose requests have a body. */
  readonly needBody: readonly string[];
  /** The names of fixtures: resources, and those of the settings. */
  readonly fixtures: readonly string[];
  readonly fixOf: (name: string, names: readonly string[]) => string;
}

/** The keys that a step may have beside its action. */
const stepKeys: Readonly<Record<string, readonly string[]>> = {
  call: "by path query headers cookies body raw method address as expect everyPage until isImmediate setup".split(" "),
  make: ["as", "of", "with", "fresh", "by"],
  actor: ["as", "idleSeconds"],
  parallel: ["times", "outcomes", "as"],
  repeat: ["times"],
  check: ["matches", "requirements", "message"],
  advance: [],
  settle: [],
  hold: [],
  code: ["inputs", "as"],
};

const actions = Object.keys(stepKeys);

/** Checks a list of steps: each has one action with its keys, and calls and creates what exists. */
export function checkSteps(steps: unknown, at: readonly string[], report: ReportProblem, known: KnownNames): void {
  if (steps === undefined) return;
  if (!Array.isArray(steps)) return report(at, "Steps are a list.", "Write a list, with `- ` before each step.");
  for (const [index, step] of steps.entries()) checkStep(step, [...at, String(index)], report, known);
}

function checkStep(step: unknown, at: readonly string[], report: ReportProblem, known: KnownNames): void {
  const given = isJsonObject(step) ? step : {};
  const found = actions.filter((each) => Object.hasOwn(given, each));
  const [action, ...others] = found;
  if (action === undefined || others.length > 0) {
    const [first = ""] = Object.keys(given);
    const message = action === undefined ? `A step has no action.` : `A step has the actions ${found.join(" and ")}.`;
    return report(at, message, action === undefined ? known.fixOf(first, actions) : "Write a step for each of them.");
  }
  const keys = [action, ...(stepKeys[action] ?? [])];
  for (const key of Object.keys(given))
    if (!keys.includes(key))
      report([...at, key], `Unknown key of a step with \`${action}\`: "${key}".`, known.fixOf(key, keys));
  const name = given[action];
  if (
    action === "call" &&
    typeof name === "string" &&
    !name.startsWith("controls:") &&
    !known.operations.includes(name)
  )
    report([...at, action], `Unknown operation "${name}".`, known.fixOf(name, known.operations));
  const sendsBody = ["body", "raw", "method", "address"].some((key) => Object.hasOwn(given, key));
  if (action === "call" && typeof name === "string" && known.needBody.includes(name) && !sendsBody)
    report([...at, action], `${name} requires a body, and the step has none.`, "Add `body: {…}` to the step.");
  if (
    action === "make" &&
    typeof name === "string" &&
    !known.fixtures.includes(name.replace(/@[^]*$/, "")) &&
    !known.fixtures.includes(name)
  )
    report([...at, action], `Unknown fixture "${name}".`, known.fixOf(name, known.fixtures));
  if (action === "repeat" || action === "parallel") checkSteps(name, [...at, action], report, known);
}
