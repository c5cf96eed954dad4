import { code, literal, type Code } from "../../emit/printer.js";
import type { Shape } from "../../model/api.js";
import { $ } from "../runtime.js";
import { holds } from "./conditions.js";
import { isEvaluatedItem } from "./evaluated.js";
import { arrayLimits } from "./limits.js";
import { fault, reading, type Scope, type Spot } from "./scope.js";
import { positionChecks } from "./shapes.js";

/**
 * Returns the checks of an array, without its type check. Issues of items get their paths from the runtime.
 * If an array has too many items, its items are not checked, since there may be a great many.
 */
export function arrayChecks(scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  const { value } = spot;
  const { minItems = 0, maxItems } = shape;
  const short = minItems === 0 ? [] : [code`${value}.length < ${literal(minItems)}`];
  const long = maxItems === undefined ? [] : [code`${value}.length > ${literal(maxItems)}`];
  const outside = [...short, ...long].reduce<Code | undefined>(
    (before, each) => (before === undefined ? each : code`${before} || ${each}`),
    undefined,
  );
  const rest = [
    ...contentChecks(scope, shape, spot),
    ...arrayLimits(scope, shape, spot),
    ...itemChecks(scope, shape, spot),
  ];
  if (outside === undefined) return rest;
  const counted = code`if (${outside}) ${fault(spot, "items", minItems === 0 ? undefined : minItems, maxItems)}`;
  if (maxItems === undefined || rest.length === 0) return [counted, ...rest];
  const bounded = code`{\n${rest}\n}`;
  if (minItems === 0) return [code`${counted} else ${bounded}`];
  return [counted, code`if (${value}.length <= ${literal(maxItems)}) ${bounded}`];
}

/** Checks uniqueness, and the number of items that match `contains`. */
function contentChecks(scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  const { value } = spot;
  const { contains, minContains = 1, maxContains } = shape;
  const statements: Code[] = [];
  if (shape.uniqueItems) statements.push(code`if (!${$("isUnique")}(${value})) ${fault(spot, "unique")}`);
  if (contains !== undefined && (minContains > 0 || maxContains !== undefined)) {
    const fitting = scope.variable("fitting");
    const most = maxContains === undefined ? code`` : code` || ${fitting} > ${literal(maxContains)}`;
    statements.push(
      code`const ${fitting} = ${value}.filter((item) => ${holds(scope, contains, { value: code`item`, hint: `${spot.hint}Contained` })}).length;`,
      code`if (${fitting} < ${literal(minContains)}${most}) ${fault(spot, "contains", minContains, maxContains)}`,
    );
  }
  return statements;
}

function itemChecks(scope: Scope, shape: Shape, { value, hint }: Spot): readonly Code[] {
  const { prefixItems = [], items, unevaluatedItems } = shape;
  const statements: Code[] = [];
  for (const [index, each] of prefixItems.entries()) {
    const item = scope.variable("item");
    const checks = positionChecks(scope, each, { value: item, at: literal(index), hint: `${hint}Item${index}` });
    if (checks.length > 0)
      statements.push(
        code`if (${value}.length > ${literal(index)}) {\n${[...reading(item, code`${value}[${literal(index)}]`, checks), ...checks]}\n}`,
      );
  }
  const loop = (each: Shape, guard: (index: Code) => Code | undefined): void => {
    const index = scope.variable("index");
    const item = scope.variable("item");
    const checks = positionChecks(scope, each, { value: item, at: index, hint: `${hint}Item` });
    if (checks.length === 0) return;
    const only = guard(index);
    const body = code`${[...reading(item, code`${value}[${index}]`, checks), ...checks]}`;
    statements.push(
      code`for (let ${index} = ${literal(prefixItems.length)}; ${index} < ${value}.length; ${index} += 1) {\n${only === undefined ? body : code`if (${only}) {\n${body}\n}`}\n}`,
    );
  };
  if (items !== undefined) loop(items, () => undefined);
  if (unevaluatedItems !== undefined && items === undefined) {
    const { unevaluatedItems: _own, ...beside } = shape;
    loop(unevaluatedItems, (index) => {
      const evaluated = isEvaluatedItem(scope, beside, { value, hint }, index);
      return evaluated === undefined ? undefined : code`!(${evaluated})`;
    });
  }
  return statements;
}
