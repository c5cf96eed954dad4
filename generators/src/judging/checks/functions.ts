import { code, type Code } from "../../emit/printer.js";
import type { Shape } from "../../model/api.js";
import { $, $type } from "../runtime.js";
import { Scope, type Around } from "./scope.js";
import { positionChecks, shapeChecks } from "./shapes.js";

/** Returns the name of a function that checks an unnamed schema. Functions with the same code are shared. */
export function checkFunction(around: Around, shape: Shape, hint: string): Code {
  if (isBareReference(shape)) return around.refer(shape.ref ?? "", around.nulls);
  return around.pool.share(`check ${hint}`, (own) => declaration(around, shape, { own, hint }, shapeChecks));
}

/**
 * Returns the name of a function that checks a complete body or parameter, and can reject unknown fields. `shown` is a
 * table of checks of
 * response fields; values that match these are accepted. Returns `undefined` if there is nothing to check.
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

/** Declares the check function of a named schema. */
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
