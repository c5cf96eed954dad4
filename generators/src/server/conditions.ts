import { code, join, key, literal, type Code } from "../emit/printer.js";
import type { Condition, Expression, Json, Shape } from "../model/api.js";
import { checkFunction } from "../judging/checks/functions.js";
import type { Around } from "../judging/checks/scope.js";
import { emitExpression } from "./expressions.js";

/**
 * Emits a `when` for the server's runtime: data, with a check function for each schema. The functions are hoisted
 * constants of the file, or
 * imported named checks. `hint` is the stem of their names.
 */
export function emitCondition(condition: Condition, around: Around, hint: string): Code {
  const { caller, body, target, sent, refs, changes, compare } = condition;
  const check = (shape: Shape, about: string): Code => checkFunction(around, shape, `${hint} ${about}`);
  const shapes = Object.entries({ caller, body, target, sent }).flatMap(([member, shape]) =>
    shape === undefined ? [] : [code`${key(member)}: ${check(shape, member)}`],
  );
  const fields = Object.entries(refs ?? {}).map(([field, shape]) => code`${key(field)}: ${check(shape, field)}`);
  const members = [
    ...shapes,
    ...(refs === undefined ? [] : [code`refs: { ${join(fields, code`, `)} }`]),
    ...(changes === undefined ? [] : [code`changes: ${literal(changes)}`]),
    ...(compare === undefined ? [] : [code`compare: ${emitComparison(compare)}`]),
  ];
  return code`{ ${join(members, code`, `)} }`;
}

function emitComparison({ left, operator, right }: NonNullable<Condition["compare"]>): Code {
  const against = isExpression(right) ? emitExpression(right) : literal({ value: right });
  return code`[${emitExpression(left)}, ${literal(operator)}, ${against}]`;
}

function isExpression(right: Expression | Json): right is Expression {
  return typeof right === "object" && right !== null && "root" in right && "text" in right && "pointer" in right;
}
