import { describeBounds, type Json, type Schema, pascalCase } from "../../../model/index.js";

/**
 * Returns words that tell a condition or a branch from others: its title, or the values and fields that it requires. They are for names, as in
 * `checkDomainIfTypeMaster`. Empty if there are none, or too many.
 */
export function schemaWords(schema: Schema): string {
  const words = schema.title ?? schema.ref ?? [...factsOf(schema)].join(" and ");
  return pascalCase(words) !== undefined && words.length <= maxLength ? words : "";
}

/** Returns words for what a schema allows, wherever it stands, as in `checkTextAtMost64Characters`. Empty if it takes more than words. */
export function contentWords(schema: Schema): string {
  const { title: _title, ...untitled } = schema;
  const words = schemaWords(untitled);
  const types = schema.types.join(" or ");
  const isTypeOnly = words === types || (words === schema.format && !schema.types.includes("string"));
  // Its items, fields or pattern are not in words.
  if (words === "text" || (isTypeOnly && /array|object/.test(types))) return "";
  return isTypeOnly ? [types.replace("string", "text"), ...describeBounds(schema)].join(" ") : words;
}

const maxLength = 48;

function factsOf(schema: Schema): readonly string[] {
  const { const: only, enum: values, not, anyOf, oneOf, allOf = [], types } = schema;
  const listed = only === undefined ? values : [only];
  const branches = anyOf ?? oneOf;
  const facts = [
    ...(listed === undefined ? [] : [listed.map(valueWords).join(" or ")]),
    ...fieldFacts(schema),
    ...allOf.map(schemaWords),
    ...(branches === undefined ? [] : [branches.map(schemaWords).join(" or ")]),
    ...(not === undefined ? [] : [negated(schemaWords(not))]),
  ].filter((fact) => fact !== "");
  if (facts.length > 0) return facts;
  return [schema.format ?? (schema.pattern === undefined ? types.join(" or ") : "text")];
}

function fieldFacts({ properties = [], required = [] }: Schema): readonly string[] {
  const facts = properties.map(({ name, schema }) => ({ name, words: schemaWords({ ...schema, types: [] }) }));
  const stated = new Set(facts.flatMap(({ name, words }) => (words === "" ? [] : [name])));
  const present = [...properties.filter((property) => property.required).map(({ name }) => name), ...required].filter(
    (name) => !stated.has(name),
  );
  return [
    ...facts.flatMap(({ name, words }) => (words === "" ? [] : [`${name} ${words}`])),
    ...(present.length === 0 ? [] : [`with ${[...new Set(present)].join(" and ")}`]),
  ];
}

function valueWords(value: Json): string {
  if (value === "") return "empty text";
  return typeof value === "object" && value !== null ? "" : String(value);
}

function negated(words: string): string {
  if (words === "") return "";
  return words.startsWith("with ") ? `without ${words.slice("with ".length)}` : `not ${words}`;
}
