import { code, type Code } from "../../emit/printer.js";
import type { Shape } from "../../model/api.js";
import { $, $type } from "../runtime.js";
import { Scope, type Around } from "./scope.js";
import { positionChecks, shapeChecks } from "./shapes.js";

/** The name of a function that judges a shape without a name; those that print alike are one. */
export function checkFunction(around: Around, shape: Shape, hint: string): Code {
  if (isBareReference(shape)) return around.refer(shape.ref ?? "", around.nulls);
  return around.pool.share(`check ${hint}`, (own) => declaration(around, shape, { own, hint }, shapeChecks));
}

/**
 * The same for the value of a whole body or parameter, of which fields that nobody described can be refused. `shown` is a table of what is shown
 * of fields, and is accepted in them. Undefined where there is nothing to judge.
 */
export function positionFunction(around: Around, shape: Shape, hint: string, shown?: Code): Code | undefined {
  if (positionChecks(new Scope(around), shape, { value: code`value`, hint }).length === 0) return undefined;
  const judge: typeof positionChecks = (scope, each, spot) => {
    const checks = positionChecks(scope, each, spot);
    if (shown === undefined) return checks;
    const before = scope.variable("before");
    return [
      code`const ${before} = faults.length;`,
      ...checks,
      code`if (faults.length > ${before}) ${$("acceptShown")}(value, faults, ${before}, ${shown}());`,
    ];
  };
  return around.pool.share(`check ${hint}`, (own) => declaration(around, shape, { own, hint }, judge));
}

/** The function of a named shape. */
export function namedFunction(around: Around, shape: Shape, own: Code, hint: string): Code {
  return code`export ${declaration(around, shape, { own, hint }, shapeChecks)}`;
}

function declaration(
  around: Around,
  shape: Shape,
  { own, hint }: { readonly own: Code; readonly hint: string },
  judge: typeof shapeChecks,
): Code {
  const statements = judge(new Scope(around), shape, { value: code`value`, hint });
  return code`function ${own}(value: unknown, faults: ${$type("Faults")}, reject?: boolean): void {\n${statements}\n}`;
}

function isBareReference(shape: Shape): boolean {
  const { ref, types, origin: _origin, title: _title, description: _description, sources: _sources, ...rest } = shape;
  return ref !== undefined && types.length === 0 && Object.keys(rest).length === 0;
}
