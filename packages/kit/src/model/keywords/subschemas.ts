import type { JsonType, Schema } from "../api.js";

/** A keyword that holds subschemas. They differ only in where these stand and what they apply to. */
export interface SubschemaKeywordFacts {
  readonly holds: "schema" | "list" | "map";
  /** The types of the values that it restricts. Empty: all types. */
  readonly types: readonly JsonType[];
  /** Whether its subschemas apply to the same value, not to a part of it. */
  readonly isSameValue: boolean;
}

/** The keywords that hold subschemas, except for `properties`, which has a shape of its own in the model. */
export const subschemaKeywords: { readonly [Name in SubschemaKeyword]: SubschemaFacts<Name> } = {
  items: { holds: "schema", types: ["array"], isSameValue: false },
  contains: { holds: "schema", types: ["array"], isSameValue: false },
  additionalProperties: { holds: "schema", types: ["object"], isSameValue: false },
  propertyNames: { holds: "schema", types: ["object"], isSameValue: false },
  not: { holds: "schema", types: [], isSameValue: true },
  if: { holds: "schema", types: [], isSameValue: true },
  then: { holds: "schema", types: [], isSameValue: true },
  else: { holds: "schema", types: [], isSameValue: true },
  unevaluatedProperties: { holds: "schema", types: ["object"], isSameValue: false },
  unevaluatedItems: { holds: "schema", types: ["array"], isSameValue: false },
  prefixItems: { holds: "list", types: ["array"], isSameValue: false },
  allOf: { holds: "list", types: [], isSameValue: true },
  anyOf: { holds: "list", types: [], isSameValue: true },
  oneOf: { holds: "list", types: [], isSameValue: true },
  patternProperties: { holds: "map", types: ["object"], isSameValue: false },
  dependentSchemas: { holds: "map", types: ["object"], isSameValue: true },
};

/** The keywords of `Schema` that hold one schema, a list or a map of schemas. */
export type SubschemaKeyword = SingleKeyword | ListKeyword | MapKeyword;

type SingleKeyword = KeywordOf<Schema>;
type ListKeyword = KeywordOf<readonly Schema[]>;
type MapKeyword = KeywordOf<Readonly<Record<string, Schema>>>;
type KeywordOf<Held> = {
  [Key in keyof Schema]-?: [Required<Schema>[Key], Held] extends [Held, Required<Schema>[Key]] ? Key : never;
}[keyof Schema];

type SubschemaFacts<Name extends SubschemaKeyword> = SubschemaKeywordFacts & {
  readonly holds: Name extends SingleKeyword ? "schema" : Name extends ListKeyword ? "list" : "map";
};

export const singleKeywords: readonly SingleKeyword[] = keywordsHolding<SingleKeyword>("schema");
export const listKeywords: readonly ListKeyword[] = keywordsHolding<ListKeyword>("list");
export const mapKeywords: readonly MapKeyword[] = keywordsHolding<MapKeyword>("map");

/** Returns the schemas in a schema, except those of its properties: first those that apply to the same value. */
export function heldSchemas(schema: Schema): readonly { readonly schema: Schema; readonly isSameValue: boolean }[] {
  return heldOrder.flatMap((name) => {
    const { holds, isSameValue } = subschemaKeywords[name];
    const value = schema[name];
    if (value === undefined) return [];
    const schemas = holds === "schema" ? [value as Schema] : Object.values(value as Readonly<Record<string, Schema>>);
    return schemas.map((each) => ({ schema: each, isSameValue }));
  });
}

const heldOrder: readonly SubschemaKeyword[] = [
  ...[...listKeywords, ...mapKeywords, ...singleKeywords].filter((name) => subschemaKeywords[name].isSameValue),
  ...[...singleKeywords, ...listKeywords, ...mapKeywords].filter((name) => !subschemaKeywords[name].isSameValue),
];

function keywordsHolding<Name extends SubschemaKeyword>(holds: SubschemaKeywordFacts["holds"]): readonly Name[] {
  const names = Object.keys(subschemaKeywords) as Name[];
  return names.filter((name) => subschemaKeywords[name].holds === holds);
}
