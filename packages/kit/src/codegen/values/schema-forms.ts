import { type Api, type Schema, schemasByName } from "../../model/index.js";

/** All schemas that always apply to a value: these, their references and `allOf`, without branches. */
export function unconditionalParts(api: Api, schemas: readonly Schema[]): readonly Schema[] {
  const parts = new Set<Schema>();
  const visit = (schema: Schema): void => {
    if (parts.has(schema)) return;
    parts.add(schema);
    for (const part of partsOf(api, schema)) visit(part);
  };
  for (const schema of schemas) visit(schema);
  return [...parts];
}

function partsOf(api: Api, { ref, allOf = [] }: Schema): readonly Schema[] {
  const target = ref === undefined ? undefined : schemasByName(api).get(ref);
  return target === undefined ? allOf : [target, ...allOf];
}

/**
 * The ways to match schemas: for each, all schemas that apply together, with one branch of every `anyOf` and `oneOf`, and with one side of
 * every condition. Not every way leads to a value.
 */
export function schemaForms(api: Api, schemas: readonly Schema[]): Generator<readonly Schema[]> {
  return expand(api, { waiting: schemas, chosen: new Set() });
}

interface Expansion {
  readonly waiting: readonly Schema[];
  readonly chosen: ReadonlySet<Schema>;
}

function* expand(api: Api, { waiting, chosen }: Expansion): Generator<readonly Schema[]> {
  const [next, ...rest] = waiting;
  if (next === undefined) yield [...chosen];
  else if (chosen.has(next)) yield* expand(api, { waiting: rest, chosen });
  else if (next.never === undefined)
    for (const branches of combinations(alternativesOf(next)))
      yield* expand(api, {
        waiting: [...partsOf(api, next), ...branches, ...rest],
        chosen: new Set([...chosen, next]),
      });
}

/** What a schema leaves open: for each choice, the schemas that apply with each answer. */
function alternativesOf(schema: Schema): readonly (readonly (readonly Schema[])[])[] {
  const { anyOf, oneOf, if: condition, then, else: otherwise, dependentSchemas = {} } = schema;
  const branches = [anyOf, oneOf].flatMap((each) => (each === undefined ? [] : [each.map((branch) => [branch])]));
  const sides = [otherwise === undefined ? [] : [otherwise], [condition, then].filter((each) => each !== undefined)];
  const dependents = Object.values(dependentSchemas).map((each) => [[], [each]]);
  return [...branches, ...(condition === undefined ? [] : [sides]), ...dependents];
}

function* combinations(choices: readonly (readonly (readonly Schema[])[])[]): Generator<readonly Schema[]> {
  const [first, ...others] = choices;
  if (first === undefined) yield [];
  else for (const chosen of first) for (const rest of combinations(others)) yield [...chosen, ...rest];
}
