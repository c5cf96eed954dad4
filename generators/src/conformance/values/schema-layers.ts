import { unconditionalParts } from "@plumbline/kit/codegen/values";
import { type Schema, schemaParts, memoizeByKey } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";

/** All schemas that always apply to a value: its schema, references and `allOf`, without branches. */
export function unconditionalLayers(context: ConformanceContext, schema: Schema): readonly Schema[] {
  return always(context.api, schema, () => unconditionalParts(context.api, [schema]));
}

const always = memoizeByKey<Schema, readonly Schema[]>();

/** The same schemas, with all branches. */
export function layersWithBranches({ api }: ConformanceContext, schema: Schema): readonly Schema[] {
  return schemaParts(api, schema);
}

/**
 * The variants of a value: one for each branch and for each condition. The first variant has only what always applies. At most 24.
 */
export function schemaBranches(context: ConformanceContext, schema: Schema): readonly (readonly Schema[])[] {
  return forms(context.api, schema, () => findForms(context, schema, 0));
}

const forms = memoizeByKey<Schema, readonly (readonly Schema[])[]>();

function findForms(context: ConformanceContext, schema: Schema, depth: number): readonly (readonly Schema[])[] {
  const whole = unconditionalLayers(context, schema);
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
