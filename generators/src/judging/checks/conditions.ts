import { code, type Code } from "../../emit/printer.js";
import type { Shape } from "../../model/api.js";
import { $ } from "../runtime.js";
import { type Scope, type Spot } from "./scope.js";
import { checkFunction } from "./functions.js";

/** Emits an expression that is true if a value matches a schema. */
export function holds(scope: Scope, shape: Shape, { value, hint }: Spot): Code {
  if (shape.never) return code`false`;
  return code`${$("holds")}(${checkFunction(scope.around, shape, hint)}, ${value})`;
}

/** Emits the checks of `not`, `if`, `then` and `else`. */
export function conditionChecks(scope: Scope, shape: Shape, spot: Spot, judge: Judge): readonly Code[] {
  const { not, if: condition, then, else: otherwise } = shape;
  const statements: Code[] = [];
  if (not !== undefined) {
    const { fault } = judge;
    statements.push(code`if (${holds(scope, not, { ...spot, hint: `${spot.hint}Not` })}) ${fault(spot)}`);
  }
  if (condition === undefined) return statements;
  const met = then === undefined ? [] : judge.shape(then);
  const unmet = otherwise === undefined ? [] : judge.shape(otherwise);
  if (met.length === 0 && unmet.length === 0) return statements;
  const test = holds(scope, condition, { ...spot, hint: `${spot.hint}If` });
  if (met.length === 0) return [...statements, code`if (!${test}) {\n${unmet}\n}`];
  const rest = unmet.length === 0 ? code`` : code` else {\n${unmet}\n}`;
  return [...statements, code`if (${test}) {\n${met}\n}${rest}`];
}

interface Judge {
  readonly shape: (shape: Shape) => readonly Code[];
  readonly fault: (spot: Spot) => Code;
}
