import type { Shape } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import { onceEach } from "../model/once.js";
import type { Context } from "./context.js";

/** All schemas that always apply to a value: its schema, references and `allOf`, without branches. */
export function alwaysOf(context: Context, shape: Shape): readonly Shape[] {
  return always(context.api, shape, () => findAlways(context, shape));
}

const always = onceEach<Shape, readonly Shape[]>();

function findAlways(context: Context, shape: Shape): readonly Shape[] {
  const seen = new Set<Shape>();
  const visit = (each: Shape): void => {
    if (seen.has(each)) return;
    seen.add(each);
    const named = each.ref === undefined ? undefined : context.shapes.get(each.ref);
    if (named !== undefined) visit(named);
    for (const part of each.allOf ?? []) visit(part);
  };
  visit(shape);
  return [...seen];
}

/** The same schemas, with all branches. */
export function branchesWith({ api }: Context, shape: Shape): readonly Shape[] {
  return partsOf(api, shape);
}

/** One schema for a value that must match several. */
export function bothOf(shapes: readonly Shape[]): Shape {
  const [first, ...others] = shapes;
  if (first === undefined) throw new RangeError("bothOf: missing schema");
  return others.length === 0 ? first : { types: [], allOf: shapes, origin: first.origin };
}

/**
 * The variants of a value: one for each branch and for each condition. The first variant has only what always applies. At most 24.
 */
export function formsOf(context: Context, shape: Shape): readonly (readonly Shape[])[] {
  return forms(context.api, shape, () => findForms(context, shape, 0));
}

const forms = onceEach<Shape, readonly (readonly Shape[])[]>();

function findForms(context: Context, shape: Shape, depth: number): readonly (readonly Shape[])[] {
  const whole = alwaysOf(context, shape);
  const branching = whole.flatMap(({ oneOf, anyOf }) => [oneOf, anyOf]).filter((each) => each !== undefined);
  const chosen = branching.flatMap((branches) =>
    depth > 2 ? [] : branches.flatMap((branch) => findForms(context, branch, depth + 1)),
  );
  const conditional = whole.flatMap(({ if: condition, then }) =>
    condition === undefined ? [] : [[condition, ...(then === undefined ? [] : [then])]],
  );
  const dependent = whole.flatMap(({ dependentSchemas = {} }) => Object.values(dependentSchemas).map((each) => [each]));
  const chosenForms = [...chosen, ...conditional, ...dependent].map((form) => [...form, ...whole]);
  return [...(branching.length === 0 ? [whole] : []), ...chosenForms].slice(0, 24);
}
