import { createRequire } from "node:module";
import type { Ajv2020, Options } from "ajv/dist/2020.js";
import { isJsonObject } from "../../model/index.js";
import type { LintNode } from "./lint-node.js";
import { isSurelyValid } from "./redocly/surely-valid.js";

/** Returns why a schema does not compile as JSON Schema 2020-12, or `undefined` if it does or contains an unresolved reference. */
export function findCompileError(schema: LintNode): string | undefined {
  const closed = bundleSchema(schema);
  if (closed === undefined) return undefined;
  const text = JSON.stringify(closed);
  if (!errorsBySchema.has(text)) errorsBySchema.set(text, isPlain(text) ? undefined : compileError(closed));
  return errorsBySchema.get(text);
}

/** Results by schema, as JSON. */
const errorsBySchema = new Map<string, string | undefined>();

/** Whether a schema, as JSON, has only keywords that compile whatever the others are: most conditions, for which no compiler is loaded. */
function isPlain(text: string): boolean {
  const withoutPattern = (key: string, value: unknown): unknown =>
    key === "pattern" && isPattern(value) ? undefined : value;
  const closed: unknown = JSON.parse(text, withoutPattern);
  const resolve = () => ({ node: plainSchema, file: "" });
  return isSurelyValid(plainSchema, closed, { file: "", resolve, direction: undefined });
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === "string" && new RegExp(value, "u").source !== "";
  } catch {
    return false;
  }
}

const own = { $ref: "#" };
const typeName = { enum: ["null", "boolean", "object", "array", "number", "string", "integer"] };
/** Keywords, and what they take. */
const plainKeywords: readonly (readonly [names: string, operand: unknown])[] = [
  ["not if then else items contains additionalProperties propertyNames", own],
  ["allOf anyOf oneOf prefixItems", { type: "array", minItems: 1, items: own }],
  ["$defs properties dependentSchemas", { type: "object", additionalProperties: own }],
  ["type", { anyOf: [typeName, { type: "array", minItems: 1, uniqueItems: true, items: typeName }] }],
  ["required", { type: "array", uniqueItems: true, items: { type: "string" } }],
  ["minimum maximum exclusiveMinimum exclusiveMaximum", { type: "number" }],
  ["minLength maxLength minItems maxItems", { type: "integer", minimum: 0 }],
  ["enum", { type: "array", minItems: 1 }],
  ["const", true],
  ["uniqueItems", { type: "boolean" }],
  ["$ref title description $comment", { type: "string" }],
];
const plainSchema = {
  type: ["object", "boolean"],
  properties: Object.fromEntries(
    plainKeywords.flatMap(([names, operand]) => names.split(" ").map((name) => [name, operand])),
  ),
  additionalProperties: false,
};

let compiler: Ajv2020 | undefined;

/** Returns the shared compiler. Creating one takes some 50 ms, because it compiles the meta-schemas. */
function sharedCompiler(): Ajv2020 {
  if (compiler !== undefined) return compiler;
  // They take 100 ms to load, and programs that only ask for `diagnosticCodes` import this file, too.
  const ajv = load("ajv/dist/2020.js") as { readonly Ajv2020: new (options: Options) => Ajv2020 };
  const formats = load("ajv-formats") as { readonly default: (compiler: Ajv2020) => Ajv2020 };
  // `openapi/struct` reports unknown keywords; without `strict`, a schema compiles or does not. Used schemas are not added, because two may
  // have the same $id.
  const options: Options = { strict: false, unicodeRegExp: true, logger: false, addUsedSchema: false };
  compiler = formats.default(new ajv.Ajv2020(options));
  return compiler;
}

const load = createRequire(import.meta.url);

function compileError(closed: object | boolean): string | undefined {
  try {
    sharedCompiler().compile(closed);
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
  }
}

/** Returns the schema as a single value, with referenced schemas in its `$defs`, or `undefined` if a reference does not resolve. */
export function bundleSchema(schema: LintNode): object | boolean | undefined {
  let lost = false;
  const names = new Map<string, string>();
  const $defs: Record<string, unknown> = {};
  const copy = (spot: LintNode): unknown => {
    if (Array.isArray(spot.value)) return spot.items().map(copy);
    if (!isJsonObject(spot.value)) return spot.value;
    const copied = spot.entries().flatMap(([key, child]): readonly (readonly [string, unknown])[] => {
      if (key === "$ref" && typeof child.value === "string") return [[key, `#/$defs/${nameOf(spot)}`]];
      return key.startsWith("x-") ? [] : [[key, literal.has(key) ? child.value : copy(child)]];
    });
    return Object.fromEntries(copied);
  };
  const nameOf = (from: LintNode): string => {
    const target = from.follow();
    if (target === undefined) {
      lost = true; // reported as openapi/no-unresolved-refs
      return "";
    }
    const knownName = names.get(target.key);
    if (knownName !== undefined) return knownName;
    const name = String(names.size);
    names.set(target.key, name);
    $defs[name] = copy(target);
    return name;
  };
  const whole = copy(schema) as object | boolean;
  if (lost) return undefined;
  return names.size === 0 || typeof whole === "boolean" ? whole : { ...whole, $defs };
}

// Keywords with literal values, in which a $ref is not a reference. Keywords of OpenAPI are copied, because ajv is not strict about them.
const literal: ReadonlySet<string> = new Set(["const", "enum", "default", "example", "examples", "discriminator"]);
