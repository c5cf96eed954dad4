import type { Format } from "ajv";
import { fullFormats, type FormatName } from "ajv-formats/dist/formats.js";
import { isJsonObject } from "../../../model/index.js";

/** Undefined: it takes a validator to know. */
type Verdict = boolean | undefined;

/** Where a schema is, and whose examples its values are. */
export interface ExampleContext {
  /** The file that has the schema. References count from there. */
  readonly file: string;
  readonly resolve: (reference: string, file: string) => { readonly node: unknown; readonly file: string } | undefined;
  /** Undefined for an example of a schema, which may be of either. */
  readonly direction: "request" | "response" | undefined;
}

interface Place extends ExampleContext {
  readonly depth: number;
  /** The schemas that may still be looked at: references in circles and fans have no end. */
  readonly budget: { left: number };
}

type Fields = Readonly<Record<string, unknown>>;

/** `schema` has the keyword. */
type Keyword = (operand: unknown, value: unknown, place: Place & { readonly schema: Fields }) => Verdict;

/** True for a value that a schema accepts beyond doubt, as Redocly validates examples. To compile a validator takes a hundred times as long. */
export function isSurelyValid(schema: unknown, value: unknown, context: ExampleContext): boolean {
  return value !== undefined && verdictOf(schema, value, { ...context, depth: 0, budget: { left: 10_000 } }) === true;
}

function verdictOf(schema: unknown, value: unknown, place: Place): Verdict {
  if (typeof schema === "boolean") return schema;
  place.budget.left -= 1;
  if (!isJsonObject(schema) || place.depth > maxDepth || place.budget.left < 0) return undefined;
  const inside = { ...place, schema, depth: place.depth + 1 };
  return every(Object.entries(schema), ([name, operand]) =>
    name.startsWith("x-") || annotations.has(name) ? true : keywords.get(name)?.(operand, value, inside),
  );
}

/** References may form a circle. */
const maxDepth = 64;

function every<T>(items: readonly T[], verdictBy: (item: T) => Verdict): Verdict {
  const verdicts = new Set(items.map(verdictBy));
  if (verdicts.has(false)) return false;
  return verdicts.has(undefined) ? undefined : true;
}

function some<T>(items: readonly T[], verdictBy: (item: T) => Verdict): Verdict {
  return opposite(every(items, (item) => opposite(verdictBy(item))));
}

function opposite(verdict: Verdict): Verdict {
  return verdict === undefined ? undefined : !verdict;
}

/** Keywords that reject nothing, and those that another one reads. */
const annotations: ReadonlySet<string> = new Set(
  (
    "title description default example examples deprecated externalDocs xml $comment $defs contentEncoding contentMediaType " +
    "minContains maxContains then else"
  ).split(" "),
);

/** Any other keyword leaves it open. */
const keywords: ReadonlyMap<string, Keyword> = new Map(
  Object.entries<Keyword>({
    $ref(operand, value, place) {
      const target = typeof operand === "string" ? place.resolve(operand, place.file) : undefined;
      return target && verdictOf(target.node, value, { ...place, file: target.file });
    },
    nullable: (_, value) => (value === null ? undefined : true),
    readOnly: (operand, _, { direction }) => (operand === true && direction === "request" ? undefined : true),
    writeOnly: (operand, _, { direction }) => (operand === true && direction === "response" ? undefined : true),
    type: (operand, value, { schema }) =>
      value === null && schema["nullable"] === true
        ? undefined
        : some([operand].flat(), (type) => hasType(value, type)),
    enum: (operand, value) => some(listOf(operand), (each) => isSame(each, value)),
    const: isSame,
    minimum: bound("number", (least, value) => value >= least),
    maximum: bound("number", (most, value) => value <= most),
    exclusiveMinimum: bound("number", (least, value) => value > least),
    exclusiveMaximum: bound("number", (most, value) => value < most),
    minLength: bound("string", (least, size) => size >= least),
    maxLength: bound("string", (most, size) => size <= most),
    minItems: bound("array", (least, size) => size >= least),
    maxItems: bound("array", (most, size) => size <= most),
    minProperties: bound("object", (least, size) => size >= least),
    maxProperties: bound("object", (most, size) => size <= most),
    pattern: (operand, value) => (typeof value === "string" ? matches(operand, value) : true),
    format: hasFormat,
    required: (operand, value, { schema }) =>
      !isJsonObject(value) || every(listOf(operand), (name) => hasProperty(value, name, schema)),
    dependentRequired: (operand, value, { schema }) =>
      !isJsonObject(value) ||
      every(fieldsOf(operand), ([name, needed]) =>
        Object.hasOwn(value, name) ? every(listOf(needed), (each) => hasProperty(value, each, schema)) : true,
      ),
    dependentSchemas: (operand, value, place) =>
      !isJsonObject(value) ||
      every(fieldsOf(operand), ([name, schema]) =>
        Object.hasOwn(value, name) ? verdictOf(schema, value, place) : true,
      ),
    patternProperties: (operand, value, place) =>
      !isJsonObject(value) ||
      every(fieldsOf(operand), ([pattern, schema]) =>
        every(Object.entries(value), ([name, each]) => {
          const isMatch = matches(pattern, name);
          return isMatch === true ? verdictOf(schema, each, place) : opposite(isMatch);
        }),
      ),
    properties: (operand, value, place) =>
      !isJsonObject(value) ||
      every(fieldsOf(operand), ([name, schema]) =>
        Object.hasOwn(value, name) ? verdictOf(schema, value[name], place) : true,
      ),
    additionalProperties(operand, value, { schema, ...place }) {
      if (!isJsonObject(value)) return true;
      const { properties = {}, patternProperties } = schema;
      if (!isJsonObject(properties) || patternProperties !== undefined) return undefined;
      const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
      return every(others, (name) => verdictOf(operand, value[name], place));
    },
    propertyNames: (operand, value, place) =>
      !isJsonObject(value) || every(Object.keys(value), (name) => verdictOf(operand, name, place)),
    items(operand, value, { schema, ...place }) {
      if (!Array.isArray(value)) return true;
      return schema["prefixItems"] === undefined ? every(value, (each) => verdictOf(operand, each, place)) : undefined;
    },
    contains(operand, value, { schema, ...place }) {
      if (!Array.isArray(value)) return true;
      const { minContains = 1, maxContains = Infinity } = schema;
      const count = countOf(value, (each) => verdictOf(operand, each, place));
      return count === undefined ? undefined : count >= Number(minContains) && count <= Number(maxContains);
    },
    uniqueItems(operand, value) {
      if (operand !== true || !Array.isArray(value)) return true;
      return value.every((each) => typeof each === "string") ? new Set(value).size === value.length : undefined;
    },
    allOf: (operand, value, place) => every(listOf(operand), (schema) => verdictOf(schema, value, place)),
    anyOf: (operand, value, place) => some(listOf(operand), (schema) => verdictOf(schema, value, place)),
    oneOf(operand, value, place) {
      const count = countOf(listOf(operand), (schema) => verdictOf(schema, value, place));
      return count === undefined ? undefined : count === 1;
    },
    // Where each alternative has one constant, `oneOf` chooses the same.
    discriminator(operand, value, { schema, ...place }) {
      const name = isJsonObject(operand) ? String(operand["propertyName"]) : "";
      if (!isJsonObject(value) || typeof value[name] !== "string") return undefined;
      return every(listOf(schema["oneOf"]), (each) => hasConstant(each, name, place) || undefined);
    },
    not: (operand, value, place) => opposite(verdictOf(operand, value, place)),
    if(operand, value, { schema, ...place }) {
      const holds = verdictOf(operand, value, place);
      return holds === undefined ? undefined : verdictOf(schema[holds ? "then" : "else"] ?? true, value, place);
    },
  }),
);

/** A schema that compiles has a list there. */
function listOf(operand: unknown): readonly unknown[] {
  return Array.isArray(operand) ? operand : [];
}

function fieldsOf(operand: unknown): readonly (readonly [name: string, value: unknown])[] {
  return isJsonObject(operand) ? Object.entries(operand) : [];
}

function countOf<T>(items: readonly T[], verdictBy: (item: T) => Verdict): number | undefined {
  const verdicts = items.map(verdictBy);
  return verdicts.includes(undefined) ? undefined : verdicts.filter((verdict) => verdict === true).length;
}

/** Unknown for a missing property that only the other direction has. */
function hasProperty(value: Fields, name: unknown, { properties }: Fields): Verdict {
  if (Object.hasOwn(value, String(name))) return true;
  const property = isJsonObject(properties) ? properties[String(name)] : undefined;
  return isJsonObject(property) && (property["readOnly"] === true || property["writeOnly"] === true)
    ? undefined
    : false;
}

function hasConstant(schema: unknown, name: string, { file, resolve }: Place): boolean {
  const reference = isJsonObject(schema) ? schema["$ref"] : undefined;
  const target = typeof reference === "string" ? resolve(reference, file)?.node : schema;
  const properties = isJsonObject(target) ? target["properties"] : undefined;
  const property = isJsonObject(properties) ? properties[name] : undefined;
  return isJsonObject(property) && typeof property["const"] === "string";
}

function hasType(value: unknown, type: unknown): Verdict {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isJsonObject(value);
  if (type === "integer") return Number.isInteger(value);
  return type === "string" || type === "boolean" || type === "number" ? typeof value === type : undefined;
}

function isSame(operand: unknown, value: unknown): Verdict {
  if (typeof operand !== "object" || operand === null) return operand === value;
  return typeof value === "object" ? undefined : false;
}

/** A bound of a number, of the characters of a string, or of the number of items or properties. */
function bound(
  type: "number" | "string" | "array" | "object",
  holds: (limit: number, size: number) => boolean,
): Keyword {
  return (limit, value) => {
    if (hasType(value, type) !== true) return true;
    return typeof limit === "number" ? holds(limit, sizeOf(value)) : undefined;
  };
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return Array.from(value).length;
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : Number(value);
}

function matches(pattern: unknown, value: string): Verdict {
  try {
    return new RegExp(String(pattern), "u").test(value);
  } catch {
    return undefined;
  }
}

function hasFormat(format: unknown, value: unknown): Verdict {
  const definition = fullFormats[String(format) as FormatName] as Format | undefined;
  if (definition === undefined || definition === true) return true;
  const isPlain = definition instanceof RegExp || typeof definition !== "object";
  const { type = "string", validate } = isPlain ? { validate: definition } : definition;
  if (typeof value !== type) return true;
  if (validate instanceof RegExp) return validate.test(String(value));
  // The functions of strings take strings, and those of numbers take numbers.
  return typeof validate === "function" ? (validate as (each: unknown) => unknown)(value) === true : undefined;
}
