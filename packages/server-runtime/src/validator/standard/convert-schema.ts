import { isArray, isObject, safeAssign } from "../../http/index.js";
import type { JsonSchema } from "../schemas.js";

/** A form of schemas that has fewer keywords than JSON Schema 2020-12, and where references are to `definitions`. */
export interface OlderTarget {
  /** Whether a schema may be `true` or `false`. Otherwise only `additionalProperties` may. */
  readonly hasBooleanSchemas: boolean;
  /** Returns the keywords of a schema whose subschemas are converted. Calls `loosen` where the result accepts more values. */
  readonly rewrite: (schema: JsonSchema, loosen: () => void) => JsonSchema;
}

/** Keywords with a schema, a list of schemas, and schemas by name. All others hold values. */
const singleKeywords: ReadonlySet<string> = new Set([
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const listKeywords: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const mapKeywords: ReadonlySet<string> = new Set(["dependentSchemas", "patternProperties", "properties"]);

/**
 * Converts a schema to an older target. Where the target lacks a keyword, the result accepts more values than the schema, and never fewer:
 * `not` and `if` are left out around what would accept more, and `oneOf` becomes `anyOf`.
 */
export function convertSchema({ $defs, ...root }: JsonSchema, target: OlderTarget): JsonSchema {
  const definitions = Object.entries(isObject($defs) ? $defs : {});
  const looseReferences = new Set<unknown>();
  for (;;) {
    const before = looseReferences.size;
    const converted = definitions.map(([name, each]) => {
      const { schema, isLooser } = convertPart(each, { target, looseReferences });
      if (isLooser) looseReferences.add(`#/$defs/${name}`);
      return [name, schema] as const;
    });
    // A definition that accepts more changes those that refer to it.
    if (looseReferences.size > before) continue;
    const { schema } = convertPart(root, { target, looseReferences });
    return {
      ...(isObject(schema) ? schema : {}),
      ...(converted.length === 0 ? {} : { definitions: Object.fromEntries(converted) }),
    };
  }
}

interface Conversion {
  readonly target: OlderTarget;
  /** References to definitions that accept more than they did. */
  readonly looseReferences: ReadonlySet<unknown>;
}

interface ConvertedSchema {
  readonly schema: unknown;
  readonly isLooser: boolean;
}

function convertPart(part: unknown, { target, looseReferences }: Conversion): ConvertedSchema {
  let loosened = 0;
  const loosen = (): void => {
    loosened++;
  };
  const convert = (schema: unknown): unknown => {
    if (!isObject(schema)) return target.hasBooleanSchemas ? schema : withoutBoolean(schema);
    const converted: Record<string, unknown> = {};
    const looser = new Set<string>();
    for (const [keyword, value] of Object.entries(schema)) {
      const before = loosened;
      safeAssign(converted, keyword, convertValue(keyword, value, convert));
      if (loosened > before) looser.add(keyword);
    }
    if (looseReferences.has(schema["$ref"])) loosen();
    const replaced = withoutUnevaluated(converted, loosen);
    return besideReference(target.rewrite(withoutStricter(replaced, looser), loosen));
  };
  return { schema: convert(part), isLooser: loosened > 0 };
}

/** The schema of no value, for targets without boolean schemas. */
export const never: JsonSchema = { not: {} };

function withoutBoolean(schema: unknown): unknown {
  if (typeof schema !== "boolean") return schema;
  return schema ? {} : never;
}

function convertValue(keyword: string, value: unknown, convert: (schema: unknown) => unknown): unknown {
  if (keyword.endsWith("Properties") && typeof value === "boolean") return value;
  if (singleKeywords.has(keyword)) return convert(value);
  if (listKeywords.has(keyword) && isArray(value)) return value.map(convert);
  if (!mapKeywords.has(keyword) || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, convert(each)] as const));
}

/** Where its parts accept more, `not` and `if` would reject more, and several parts of `oneOf` could match. */
function withoutStricter(schema: JsonSchema, looser: ReadonlySet<string>): JsonSchema {
  const { not, if: condition, then, else: otherwise, oneOf, ...rest } = schema;
  return {
    ...(looser.has("oneOf") ? withRule(rest, { anyOf: oneOf }) : { ...rest, ...present({ oneOf }) }),
    ...(looser.has("not") ? {} : present({ not })),
    ...(looser.has("if") ? {} : present({ if: condition, then, else: otherwise })),
  };
}

/** Older targets ignore keywords beside a reference. */
function besideReference({ $ref, ...beside }: JsonSchema): JsonSchema {
  if (typeof $ref !== "string") return beside;
  const reference = { $ref: $ref.replace("#/$defs/", "#/definitions/") };
  return Object.keys(beside).length === 0 ? reference : withRule(beside, reference);
}

/** Adds a schema that a value has to match, too. */
export function withRule({ allOf, ...schema }: JsonSchema, rule: JsonSchema): JsonSchema {
  return { ...schema, allOf: [rule, ...(isArray(allOf) ? allOf : [])] };
}

/** Returns the keywords that are present. */
export function present(keywords: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));
}

/** Keywords whose schemas evaluate properties and items, too. */
const applicators = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"];

/** Returns a schema without `unevaluated…`, which is `additionalProperties` or `items` where no other schema evaluates. */
function withoutUnevaluated(schema: JsonSchema, loosen: () => void): JsonSchema {
  const { unevaluatedProperties, unevaluatedItems, ...rest } = schema;
  const isAlone = applicators.every((keyword) => rest[keyword] === undefined);
  const replace = (value: unknown, keyword: string, isReplaceable: boolean): JsonSchema => {
    // Everything is evaluated already, or may have any value.
    if (value === undefined || value === true || rest[keyword] !== undefined) return {};
    if (isReplaceable) return { [keyword]: value };
    loosen();
    return {};
  };
  return {
    ...rest,
    ...replace(unevaluatedProperties, "additionalProperties", isAlone),
    // Items that match `contains` are evaluated.
    ...replace(unevaluatedItems, "items", isAlone && rest["contains"] === undefined),
  };
}
