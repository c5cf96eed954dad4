import type { Api, Json, JsonType, Schema } from "../api.js";
import { matchesPattern } from "../keywords/pattern.js";
import { memoize } from "../memoize.js";
import { schemaParts } from "./schema-fields.js";

/** Maximum nesting in `deepObject`. Deeper values are undocumented: a schema may contain itself. */
export const maxDeepLevels = 5;

/** How a value nests: scalars only in it, arrays of scalars in an object, or deeper. */
export type Nesting = "flat" | "lists" | "deep";

/** The kinds of values that schemas allow, with references and compositions resolved. */
export interface ValueKinds {
  readonly has: (schema: Schema, type: "array" | "object") => boolean;
  /** The types that a text can be decoded to. */
  readonly scalarsOf: (schema: Schema) => ReadonlySet<JsonType>;
  readonly itemOf: (schema: Schema) => Schema;
  readonly fieldsOf: (schema: Schema) => readonly (readonly [name: string, schema: Schema])[];
  /** The schema of properties of any name. Undefined if an object only has declared ones. */
  readonly restOf: (schema: Schema) => Schema | undefined;
  readonly nestingOf: (schema: Schema) => Nesting;
  /** Whether a text that the schema allows may contain this one, as far as its enum, pattern and format say. */
  readonly mayContain: (schema: Schema, text: string) => boolean;
}

export const valueKinds: (api: Api) => ValueKinds = memoize((api) => {
  const parts = (schema: Schema): readonly Schema[] => schemaParts(api, schema);
  const has: ValueKinds["has"] = (schema, type) =>
    parts(schema).some(
      (part) =>
        part.types.includes(type) ||
        (type === "object" ? part.properties !== undefined : (part.items ?? part.prefixItems) !== undefined),
    );
  const scalarsOf: ValueKinds["scalarsOf"] = (schema) =>
    new Set(
      parts(schema).flatMap((part) => {
        if (part.types.length > 0) return part.types.filter((type) => type !== "array" && type !== "object");
        return (part.const === undefined ? (part.enum ?? []) : [part.const]).flatMap(scalarTypeOf);
      }),
    );
  const itemOf: ValueKinds["itemOf"] = (schema) => {
    const items = parts(schema).flatMap((part) => [...(part.prefixItems ?? []), ...[part.items ?? []].flat()]);
    const [item, ...others] = items.filter((each) => each.never === undefined);
    if (item === undefined) return untyped(schema);
    return others.length === 0 ? item : { ...untyped(schema), anyOf: [item, ...others] };
  };
  const fieldsOf: ValueKinds["fieldsOf"] = (schema) => {
    const fields = parts(schema).flatMap((part) => part.properties ?? []);
    return [...new Map(fields.map((each) => [each.name, each.schema] as const))];
  };
  const restOf: ValueKinds["restOf"] = (schema) => {
    const all = parts(schema);
    const stated = all.flatMap(({ additionalProperties, patternProperties = {} }) => [
      ...(additionalProperties === undefined ? [] : [additionalProperties]),
      ...Object.values(patternProperties),
    ]);
    const isMap = stated.length === 0 && all.every((part) => part.properties === undefined);
    return isMap ? untyped(schema) : stated.find((each) => each.never === undefined);
  };
  const isScalar = (schema: Schema): boolean => !has(schema, "array") && !has(schema, "object");
  const nestingOf: ValueKinds["nestingOf"] = (schema) => {
    if (has(schema, "array") && !isScalar(itemOf(schema))) return "deep";
    if (!has(schema, "object")) return "flat";
    const values = [...fieldsOf(schema).map(([, each]) => each), ...[restOf(schema) ?? []].flat()];
    const inner = values.filter((each) => !isScalar(each));
    if (inner.length === 0) return "flat";
    return inner.every((each) => !has(each, "object") && nestingOf(each) === "flat") ? "lists" : "deep";
  };
  const mayContain: ValueKinds["mayContain"] = (schema, text) => {
    const types = scalarsOf(schema);
    if (types.size > 0 && !types.has("string")) return false;
    return parts(schema).every(
      ({ const: value, enum: values = value === undefined ? undefined : [value], pattern, format }) => {
        if (values !== undefined) return values.some((each) => typeof each === "string" && each.includes(text));
        const characters = format === undefined ? undefined : formatCharacters.get(format);
        return (
          (characters === undefined || characters.test(text)) &&
          (pattern === undefined ||
            [text, `a${text}a`, `1${text}1`, `A${text}1`].some((each) => matchesPattern(pattern, each)))
        );
      },
    );
  };
  return { has, scalarsOf, itemOf, fieldsOf, restOf, nestingOf, mayContain };
});

/** What values of a format are made of. */
const formatCharacters: ReadonlyMap<string, RegExp> = new Map([
  ["date", /^[\d-]*$/],
  ["date-time", /^[\d:.tzTZ+-]*$/],
  ["time", /^[\d:.zZ+-]*$/],
  ["duration", /^[\w.]*$/],
  ["uuid", /^[\da-fA-F-]*$/],
  ["ipv4", /^[\d.]*$/],
  ["ipv6", /^[\da-fA-F:.]*$/],
  ["hostname", /^[\w.-]*$/],
]);

function untyped({ origin }: Schema): Schema {
  return { types: [], origin };
}

function scalarTypeOf(value: Json): readonly JsonType[] {
  if (value === null) return ["null"];
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? [type] : [];
}
