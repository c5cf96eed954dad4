import { isJsonObject } from "@plumbline/model";

/** Reports a problem of the settings: its location, a message, and what to do. */
export type ReportProblem = (at: readonly string[], message: string, fix: string) => void;

export interface KnownNames {
  readonly operations: readonly string[];
  /** The names of fixtures: resources, and those of the settings. */
  readonly fixtures: readonly string[];
  readonly fixOf: (name: string, names: readonly string[]) => string;
}

const actions = ["call", "make", "actor", "parallel", "repeat", "check", "advance", "settle", "hold", "code"];

/** Checks a list of steps: each has one action, and calls and creates what exists. */
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
  const name = given[action];
  if (
    action === "call" &&
    typeof name === "string" &&
    !name.startsWith("controls:") &&
    !known.operations.includes(name)
  )
    report([...at, action], `Unknown operation "${name}".`, known.fixOf(name, known.operations));
  if (
    action === "make" &&
    typeof name === "string" &&
    !known.fixtures.includes(name.replace(/@.*$/, "")) &&
    !known.fixtures.includes(name)
  )
    report([...at, action], `Unknown fixture "${name}".`, known.fixOf(name, known.fixtures));
  if (action === "repeat" || action === "parallel") checkSteps(name, [...at, action], report, known);
}
