import { isBinary } from "@plumbline/kit/codegen";
import {
  describeBounds,
  sizeLimits,
  type Api,
  type Json,
  type MediaKind,
  type Property,
  type Schema,
} from "@plumbline/kit/model";
import type { FormField, FormInput } from "../console/console-data.js";
import { mergedParts } from "../describe/types.js";

/** Objects within objects beyond which a value is edited as JSON. */
const maxDepth = 3;
/** Fields beyond which a body is edited as JSON only. */
const maxFields = 80;
/** Values of an enum beyond which it is typed. */
const maxValues = 200;
const maxHintLength = 120;
/** Formats that say nothing about the text to enter. */
const hiddenFormats: ReadonlySet<string> = new Set(["binary", "password", "int32", "int64", "double", "float"]);

/** Returns the fields of a body that is an object; undefined for any other body, which is edited as JSON. */
export function bodyFields(api: Api, schema: Schema, kind: MediaKind): readonly FormField[] | undefined {
  if (kind === "text" || kind === "binary") return undefined;
  const input = new FormReader(api, kind === "multipart").inputOf(schema, 0);
  return input.kind === "group" && input.fields.length > 0 && countFields(input.fields) <= maxFields
    ? input.fields
    : undefined;
}

/** Returns the field of a parameter. */
export function parameterField(
  api: Api,
  { name, required, schema }: { readonly name: string; readonly required: boolean; readonly schema: Schema },
): FormField {
  return new FormReader(api, false).field({ name, required, schema }, maxDepth);
}

function countFields(fields: readonly FormField[]): number {
  return fields.reduce((sum, { input }) => sum + 1 + (input.kind === "group" ? countFields(input.fields) : 0), 0);
}

/** Reads forms from schemas. */
class FormReader {
  readonly #api: Api;
  /** Whether values may be files: in `multipart/form-data`. */
  readonly #allowsFiles: boolean;

  constructor(api: Api, allowsFiles: boolean) {
    this.#api = api;
    this.#allowsFiles = allowsFiles;
  }

  field({ name, required, schema }: Pick<Property, "name" | "required" | "schema">, depth: number): FormField {
    const hint = hintOf(this.#partsOf(schema));
    return { name, isRequired: required, ...(hint === "" ? {} : { hint }), input: this.inputOf(schema, depth) };
  }

  inputOf(schema: Schema, depth: number): FormInput {
    const parts = this.#partsOf(schema);
    if (parts.some(({ oneOf, anyOf, never }) => oneOf !== undefined || anyOf !== undefined || never === true))
      return { kind: "json" };
    const only = parts.find((each) => each.const !== undefined)?.const;
    const listed = only === undefined ? parts.find((each) => each.enum !== undefined)?.enum : [only];
    if (listed !== undefined && listed.length <= maxValues) return { kind: "select", values: scalarsOf(listed) };
    const types = typesOf(parts);
    if (this.#allowsFiles && isFile(parts)) return { kind: "file", isMultiple: false };
    const items = parts.find((each) => each.items !== undefined)?.items;
    if (this.#allowsFiles && items !== undefined && isFile(this.#partsOf(items)))
      return { kind: "file", isMultiple: true };
    const isObject = parts.some(({ properties }) => properties !== undefined);
    if (isObject && (types.length === 0 || types.includes("object"))) return this.#groupOf(parts, depth);
    if (types.length !== 1) return { kind: "json" };
    switch (types[0]) {
      case "string":
        return { kind: "text" };
      case "boolean":
        return { kind: "boolean" };
      case "integer":
      case "number": {
        const { least, most } = sizeLimits("number", parts);
        return { kind: "number", isInteger: types[0] === "integer", least, most };
      }
      default:
        return { kind: "json" };
    }
  }

  #groupOf(parts: readonly Schema[], depth: number): FormInput {
    if (depth >= maxDepth) return { kind: "json" };
    const required = new Set(parts.flatMap((each) => each.required ?? []));
    const properties = new Map<string, Property>();
    for (const { properties: own = [] } of parts)
      for (const each of own) if (!properties.has(each.name)) properties.set(each.name, each);
    const fields = [...properties.values()]
      .filter(({ readOnly }) => !readOnly)
      .map((each) => this.field({ ...each, required: each.required || required.has(each.name) }, depth + 1));
    return { kind: "group", fields };
  }

  /** The schemas that apply to a value in all cases; of a union with null, those of the other alternative. */
  #partsOf(schema: Schema): readonly Schema[] {
    return mergedParts(this.#api, schema).flatMap((part) => {
      const alternatives = (part.oneOf ?? part.anyOf ?? []).filter(({ types }) => !isNull(types));
      const [only] = alternatives;
      if (only === undefined || alternatives.length > 1 || (part.oneOf !== undefined && part.anyOf !== undefined))
        return [part];
      const { oneOf: _one, anyOf: _any, ...rest } = part;
      return [rest, ...this.#partsOf(only)];
    });
  }
}

function typesOf(parts: readonly Schema[]): Schema["types"] {
  const stated = parts.find(({ types }) => types.length > 0)?.types ?? [];
  return stated.filter((each) => each !== "null");
}

function isNull(types: Schema["types"]): boolean {
  return types.length === 1 && types[0] === "null";
}

/** True if a value is a file of a form. In OpenAPI 3.1, a part without a type may be one as well. */
function isFile(parts: readonly Schema[]): boolean {
  return parts.some(isBinary);
}

function scalarsOf(values: readonly Json[]): readonly Json[] {
  return values.filter((each) => each !== null);
}

function hintOf(parts: readonly Schema[]): string {
  const facts = parts.flatMap((part) => [
    ...describeBounds(part),
    ...(part.format === undefined || hiddenFormats.has(part.format) ? [] : [part.format]),
    ...(part.pattern === undefined ? [] : [`matches ${part.pattern}`]),
    ...(part.default === undefined ? [] : [`default ${JSON.stringify(part.default)}`]),
  ]);
  const text = [...new Set(facts)].join(", ");
  return text.length > maxHintLength ? `${text.slice(0, maxHintLength)}…` : text;
}
