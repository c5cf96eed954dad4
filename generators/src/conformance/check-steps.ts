import { isJsonObject } from "@plumbline/kit/model";

/** Reports a problem of the settings: its location, a message, and what to do. */
export type ReportProblem = (at: readonly string[], message: string, fix: string) => void;

/** How to report problems, and the names that exist. */
export interface StepCheck {
  readonly report: ReportProblem;
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
export function checkSteps(steps: unknown, at: readonly string[], context: StepCheck): void {
  if (steps === undefined) return;
  if (!Array.isArray(steps))
    return context.report(at, "Steps are a list.", "Write a list, with `- ` before each step.");
  for (const [index, step] of steps.entries()) checkStep(step, [...at, String(index)], context);
}

function checkStep(step: unknown, at: readonly string[], context: StepCheck): void {
  const { report, fixOf, operations, needBody, fixtures } = context;
  const entries = isJsonObject(step) ? step : {};
  const [action, ...others] = actions.filter((each) => Object.hasOwn(entries, each));
  if (action === undefined) return report(at, "A step has no action.", fixOf(Object.keys(entries)[0] ?? "", actions));
  if (others.length > 0)
    return report(at, `A step has the actions ${[action, ...others].join(" and ")}.`, "Write a step for each of them.");
  const keys = [action, ...(stepKeys[action] ?? [])];
  for (const key of Object.keys(entries))
    if (!keys.includes(key))
      report([...at, key], `Unknown key of a step with \`${action}\`: "${key}".`, fixOf(key, keys));
  const name = entries[action];
  if (action === "repeat" || action === "parallel") checkSteps(name, [...at, action], context);
  if (typeof name !== "string") return;
  if (action === "call") {
    if (!name.startsWith("controls:") && !operations.includes(name))
      report([...at, action], `Unknown operation "${name}".`, fixOf(name, operations));
    const sendsBody = ["body", "raw", "method", "address"].some((key) => Object.hasOwn(entries, key));
    if (needBody.includes(name) && !sendsBody)
      report([...at, action], `${name} requires a body, and the step has none.`, "Add `body: {…}` to the step.");
  }
  if (action === "make" && !fixtures.includes(name.replace(/@[^]*$/, "")) && !fixtures.includes(name))
    report([...at, action], `Unknown fixture "${name}".`, fixOf(name, fixtures));
}
