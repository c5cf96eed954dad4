import { type Schema, sizeLimits } from "../../../model/index.js";
import { code, jsonLiteral, type Code } from "../../printer.js";
import { validatorFunction } from "../runtime.js";
import { emitMatches } from "./conditions.js";
import { isEvaluatedItem } from "./evaluated.js";
import { arrayLimits } from "./limits.js";
import { valuePositionChecks } from "./schemas.js";
import { emitIssue, emitRead, type FunctionScope, type CheckSite } from "./scope.js";

/**
 * Returns the checks of an array, without its type check. Issues of items get their paths from the runtime.
 * If an array has too many items, its items are not checked, since there may be a great many.
 */
export function arrayChecks(scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  const { value } = spot;
  const { least = 0, most } = sizeLimits("items", [schema]);
  const short = least === 0 ? [] : [code`${value}.length < ${jsonLiteral(least)}`];
  const long = most === undefined ? [] : [code`${value}.length > ${jsonLiteral(most)}`];
  const outside = [...short, ...long].reduce<Code | undefined>(
    (before, each) => (before === undefined ? each : code`${before} || ${each}`),
    undefined,
  );
  const rest = [
    ...contentChecks(scope, schema, spot),
    ...arrayLimits(scope, schema, spot),
    ...itemChecks(scope, schema, spot),
  ];
  if (outside === undefined) return rest;
  const counted = code`if (${outside}) ${emitIssue(spot, "items", least === 0 ? undefined : least, most)}`;
  if (most === undefined || rest.length === 0) return [counted, ...rest];
  const bounded = code`{\n${rest}\n}`;
  if (least === 0) return [code`${counted} else ${bounded}`];
  return [counted, code`if (${value}.length <= ${jsonLiteral(most)}) ${bounded}`];
}

/** Checks uniqueness, and the number of items that match `contains`. */
function contentChecks(scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  const { value } = spot;
  const { contains } = schema;
  const { least = 1, most } = sizeLimits("matches", [schema]);
  const statements: Code[] = [];
  if (schema.uniqueItems)
    statements.push(code`if (!${validatorFunction("isUnique")}(${value})) ${emitIssue(spot, "unique")}`);
  if (contains !== undefined && (least > 0 || most !== undefined)) {
    const fitting = scope.variable("fitting", value);
    const excess = most === undefined ? code`` : code` || ${fitting} > ${jsonLiteral(most)}`;
    statements.push(
      code`const ${fitting} = ${value}.filter((item) => ${emitMatches(scope, contains, { value: code`item`, hint: `${spot.hint}Contained` })}).length;`,
      code`if (${fitting} < ${jsonLiteral(least)}${excess}) ${emitIssue(spot, "contains", least, most)}`,
    );
  }
  return statements;
}

function itemChecks(scope: FunctionScope, schema: Schema, { value, hint }: CheckSite): readonly Code[] {
  const { prefixItems = [], items, unevaluatedItems } = schema;
  const statements: Code[] = [];
  for (const [index, each] of prefixItems.entries()) {
    const at = jsonLiteral(index);
    const checks = scope.block(() => {
      const item = scope.variable("item", value);
      const inner = valuePositionChecks(scope, each, { value: item, at, hint: `${hint}Item${index}` });
      return [...emitRead(item, code`${value}[${at}]`, inner), ...inner];
    });
    if (checks.length > 0) statements.push(code`if (${value}.length > ${at}) {\n${checks}\n}`);
  }
  const loop = (each: Schema, guard: (index: Code) => Code | undefined): void => {
    const index = scope.variable("index", value);
    const item = scope.variable("item", value);
    const checks = valuePositionChecks(scope, each, { value: item, at: index, hint: `${hint}Item` });
    if (checks.length === 0) return;
    const only = guard(index);
    const body = code`${[...emitRead(item, code`${value}[${index}]`, checks), ...checks]}`;
    statements.push(
      code`for (let ${index} = ${jsonLiteral(prefixItems.length)}; ${index} < ${value}.length; ${index} += 1) {\n${only === undefined ? body : code`if (${only}) {\n${body}\n}`}\n}`,
    );
  };
  if (items !== undefined) scope.block(() => loop(items, () => undefined));
  if (unevaluatedItems !== undefined && items === undefined) {
    const { unevaluatedItems: _own, ...beside } = schema;
    const guard = (index: Code): Code | undefined => {
      const evaluated = isEvaluatedItem(scope, beside, { value, hint }, index);
      return evaluated === undefined ? undefined : code`!(${evaluated})`;
    };
    scope.block(() => loop(unevaluatedItems, guard));
  }
  return statements;
}
