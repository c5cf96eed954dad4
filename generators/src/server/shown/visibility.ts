import { code, join, literal, type Code } from "../../emit/printer.js";
import { checkFunction } from "../../judging/checks/functions.js";
import type { Around } from "../../judging/checks/scope.js";
import type { Locate } from "../../judging/checks/pool.js";
import type { Condition, Shape, Visibility } from "../../model/api.js";
import { ProblemError, type Origin } from "../../problem.js";
import { $server } from "../runtime.js";

/** The context of visibility rules. */
export interface Audience {
  /** The context for checks of callers. */
  readonly around: Around;
  readonly locate: Locate;
}

/** Emits the value if it is visible, and its replacement otherwise. */
export function visibleValue(value: Code, shape: Shape, hint: string, audience: Audience): Code {
  const { in: operations, when, otherwise } = shape.visible ?? {};
  const tests = [
    ...(operations === undefined ? [] : [isOneOf(operations)]),
    ...(when === undefined
      ? []
      : [code`${$server("isShownTo")}(viewer, ${callerCheck(when, shape.origin, hint, audience)})`]),
  ];
  if (tests.length === 0) return value;
  return code`${join(tests, code` && `)} ? ${value} : ${instead(otherwise, value)}`;
}

/**
 * Emits the check of a condition on the caller.
 * @throws A ProblemError for any other condition, since only the caller is known when a response is serialized.
 */
export function callerCheck(when: Condition, origin: Origin, hint: string, { around, locate }: Audience): Code {
  const { caller, ...others } = when;
  const [other] = Object.keys(others);
  if (caller === undefined || other !== undefined) {
    const message = `Visibility may only depend on the caller, and here depends on ${other ?? "nothing"}.`;
    const fix = 'Use only "caller" in "when" of "x-visible".';
    throw new ProblemError([{ code: "extension/shape", severity: "error", origin: locate(origin), message, fix }]);
  }
  return checkFunction(around, caller, `caller of ${hint}`);
}

function isOneOf(operations: readonly string[]): Code {
  if (operations.length === 0) return code`false`;
  const tests = operations.map((each) => code`viewer.operation === ${literal(each)}`);
  return tests.length === 1 ? join(tests, code``) : code`(${join(tests, code` || `)})`;
}

function instead(otherwise: Visibility["otherwise"], value: Code): Code {
  if (otherwise === undefined || otherwise === "absent") return code`undefined`;
  return otherwise === null ? code`null` : code`${$server("first")}(${value}, ${literal(otherwise.first)})`;
}
