import type { Condition, Expression, Json, Schema } from "../../model/index.js";
import { code, joinCode, propertyKey, jsonLiteral, type Code } from "../printer.js";
import { checkFunction } from "../validation/compile/functions.js";
import type { CompileContext } from "../validation/compile/scope.js";
import { emitExpression } from "./expressions.js";

/**
 * Emits a `when` for the server's runtime: data, with a check function for each schema. The functions are hoisted
 * constants of the file, or
 * imported named checks. `hint` is the stem of their names.
 */
export function emitCondition(condition: Condition, context: CompileContext, hint: string): Code {
  const { caller, body, target, sent, refs, changes, compare } = condition;
  const check = (schema: Schema, about: string): Code => checkFunction(context, schema, `${hint} ${about}`);
  const schemas = Object.entries({ caller, body, target, sent }).flatMap(([member, schema]) =>
    schema === undefined ? [] : [code`${propertyKey(member)}: ${check(schema, member)}`],
  );
  const fields = Object.entries(refs ?? {}).map(
    ([field, schema]) => code`${propertyKey(field)}: ${check(schema, field)}`,
  );
  const members = [
    ...schemas,
    ...(refs === undefined ? [] : [code`refs: { ${joinCode(fields, code`, `)} }`]),
    ...(changes === undefined ? [] : [code`changes: ${jsonLiteral(changes)}`]),
    ...(compare === undefined ? [] : [code`compare: ${emitComparison(compare)}`]),
  ];
  return code`{ ${joinCode(members, code`, `)} }`;
}

function emitComparison({ left, operator, right }: NonNullable<Condition["compare"]>): Code {
  const against = isExpression(right) ? emitExpression(right) : jsonLiteral({ value: right });
  return code`[${emitExpression(left)}, ${jsonLiteral(operator)}, ${against}]`;
}

function isExpression(right: Expression | Json): right is Expression {
  return typeof right === "object" && right !== null && "root" in right && "text" in right && "pointer" in right;
}
