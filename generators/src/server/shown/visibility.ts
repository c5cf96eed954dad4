import { code, join, literal, type Code } from "../../emit/printer.js";
import { checkFunction } from "../../judging/checks/functions.js";
import type { Around } from "../../judging/checks/scope.js";
import type { Locate } from "../../judging/checks/pool.js";
import type { Condition, Shape, Visibility } from "../../model/api.js";
import { ProblemError, type Origin } from "../../problem.js";
import { $server } from "../runtime.js";

/** What decides to whom something is shown. */
export interface Audience {
  /** What checks of callers need. */
  readonly around: Around;
  readonly locate: Locate;
}

/** A value where it is shown, and else what is shown instead. */
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

/** The check of a condition on the caller. Throws a ProblemError for a condition on more: nothing else is known when a reply is written. */
export function callerCheck(when: Condition, origin: Origin, hint: string, { around, locate }: Audience): Code {
  const { caller, ...others } = when;
  const [other] = Object.keys(others);
  if (caller === undefined || other !== undefined) {
    const message = `What is shown depends on the caller alone, and here on ${other ?? "nothing"}.`;
    const fix = 'Let "when" under "x-visible" say "caller" and no more.';
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
