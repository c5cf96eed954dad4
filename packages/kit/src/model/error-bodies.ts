import type { ErrorBodies, ErrorBody, ErrorTemplate } from "@plumbline/server-runtime";
import type { Api, Operation, OperationResponse, Schema } from "./api.js";
import { ownValue } from "./json-values.js";
import { bounds } from "./keywords/keywords.js";
import { sizeLimits, strictestBound } from "./keywords/size-limits.js";
import { findJsonContent } from "./media.js";
import { memoize } from "./memoize.js";
import { schemasByName } from "./schemas/schemas-by-name.js";

/**
 * Returns the error bodies that the description documents, by operation and status; null where the server cannot fill them. `undefined` if
 * every error has the same form: problem details, or the server's own form, `{"errors": [{"field", "reason"}]}`.
 */
export const documentedErrorBodies: (api: Api) => ErrorBodies | undefined = memoize(
  (api: Api): ErrorBodies | undefined => {
    const responses = api.operations.flatMap((operation) => operation.responses.filter(isError));
    if (api.problemDetails !== undefined || responses.some((each) => isOwnForm(api, each))) return undefined;
    // Errors of the vocabulary that no response documents have the form of the server.
    const usesVocabulary = api.errors.length > 0 || api.operations.some(({ errors }) => errors.length > 0);
    if (usesVocabulary && !responses.some(({ contents }) => findJsonContent(contents) !== undefined)) return undefined;
    return Object.fromEntries(
      api.operations.map((operation) => [
        operation.name,
        Object.fromEntries(errorResponses(operation).map((each) => [String(each.status), bodyOf(api, each)] as const)),
      ]),
    );
  },
);

function isError({ status }: OperationResponse): boolean {
  return status === "default" || String(status) >= "400";
}

/** A default response describes errors, unless it is the only response. */
function errorResponses({ responses }: Operation): readonly OperationResponse[] {
  return responses.filter((each) => isError(each) && (each.status !== "default" || responses.length > 1));
}

function isOwnForm(api: Api, { contents }: OperationResponse): boolean {
  const schema = findJsonContent(contents)?.schema;
  const errors = schema && propertiesOf(api, schema).get("errors")?.schema;
  const item = errors && partsOf(api, errors).find(({ items }) => items !== undefined)?.items;
  return item !== undefined && propertiesOf(api, item).has("reason");
}

function bodyOf(api: Api, { contents }: OperationResponse): ErrorBody | null {
  const content =
    contents.find(({ mediaType }) => /^application\/problem\+json$/.test(mediaType)) ?? findJsonContent(contents);
  if (content === undefined || content.mediaType.includes("*")) return null;
  const template = templateOf(api, content.schema, { name: "", depth: 0, isEntry: false });
  return template === undefined ? null : { mediaType: content.mediaType, template: withReason(template) };
}

/** A body that has a title only says the reason in it. */
function withReason(template: ErrorTemplate): ErrorTemplate {
  const text = JSON.stringify(template);
  if (/"from":"reasons?"/.test(text)) return template;
  return JSON.parse(text.replaceAll('{"from":"title"', '{"from":"reasons"')) as ErrorTemplate;
}

interface Position {
  /** The name of the property that has the value. */
  readonly name: string;
  readonly depth: number;
  /** True in an array, which has an item for each entry of the error. */
  readonly isEntry: boolean;
}

const maxDepth = 5;

/** Returns how a value of a schema is filled. `undefined` for keywords of which this knows too little. */
function templateOf(api: Api, schema: Schema, position: Position): ErrorTemplate | undefined {
  if (position.depth > maxDepth) return undefined;
  const parts = partsOf(api, schema);
  const literal = parts.find((part) => part.const !== undefined || part.enum !== undefined);
  if (literal !== undefined) return { value: literal.const ?? literal.enum?.[0] ?? null };
  const choice = parts.map(({ oneOf, anyOf }) => oneOf ?? anyOf).find((each) => each !== undefined);
  if (choice !== undefined && parts.every(({ properties }) => properties === undefined)) {
    const templates = choice.map((each) => templateOf(api, each, position));
    return templates.find((each) => each !== undefined);
  }
  if (parts.some((part) => unknownKeywords.some((key) => part[key] !== undefined))) return undefined;
  const types = new Set(parts.flatMap((part) => part.types));
  if (types.has("object") || parts.some(({ properties }) => properties !== undefined))
    return objectOf(api, parts, position);
  if (types.has("array")) return listOf(api, parts, position);
  if (types.has("string")) return textOf(parts, position);
  if (types.has("integer") || types.has("number")) return numberOf(parts, position.name);
  if (types.has("boolean")) return { value: false };
  return types.size === 0 ? reasonOf(position) : { value: null };
}

const unknownKeywords = ["not", "if", "pattern", "multipleOf", "prefixItems", "contains", "minProperties"] as const;

function objectOf(api: Api, parts: readonly Schema[], { depth, isEntry }: Position): ErrorTemplate | undefined {
  const properties = new Map(
    parts.flatMap((part) => (part.properties ?? []).map((each) => [each.name, each] as const)),
  );
  const required = new Set([
    ...parts.flatMap((part) => part.required ?? []),
    ...[...properties.values()].filter((each) => each.required).map(({ name }) => name),
  ]);
  if (isEntry && properties.size + required.size === 0 && parts.every(isFreeForm)) return entryForm;
  const filled: [string, ErrorTemplate][] = [];
  for (const name of new Set([...required, ...properties.keys()])) {
    const property = properties.get(name);
    const isKnown = knownName.test(name) || (isEntry && (fieldName.test(name) || placeName.test(name)));
    if (!required.has(name) && (property?.writeOnly === true || !isKnown)) continue;
    const template = templateOf(api, property?.schema ?? anything, { name, depth: depth + 1, isEntry });
    if (template !== undefined) filled.push([name, required.has(name) ? template : withoutField(template)]);
    else if (required.has(name)) return undefined;
  }
  return { object: Object.fromEntries(filled) };
}

/** An object that takes what it is given. */
function isFreeForm({ additionalProperties, propertyNames, patternProperties, maxProperties }: Schema): boolean {
  return [additionalProperties, propertyNames, patternProperties, maxProperties].every((each) => each === undefined);
}

const entryForm: ErrorTemplate = { object: { field: { from: "field" }, reason: { from: "reason" } } };

const anything: Schema = { types: [], origin: { file: "", pointer: "" } };
/** An entry without a field does not have the property of the field, if it is not required. */
function withoutField(template: ErrorTemplate): ErrorTemplate {
  return "from" in template && template.from === "field" ? { ...template, optional: true } : template;
}

const fieldName = /^(field|param|parameter|property|pointer|target)$/i;
const placeName = /^(loc|path|location|attribute)$/i;
const knownName = /^(message|msg|detail|details|description|error|errors|reason|status|statusCode|title|code)$/i;

function listOf(api: Api, parts: readonly Schema[], { name, depth }: Position): ErrorTemplate | undefined {
  const items = parts.find((part) => part.items !== undefined)?.items;
  if (placeName.test(name)) return { from: "location" };
  const item: ErrorTemplate | undefined =
    items === undefined
      ? { from: "reason" }
      : templateOf(api, items, { name: "message", depth: depth + 1, isEntry: true });
  if (item !== undefined && parts.every(({ maxItems = 100 }) => maxItems >= 100)) return { each: item };
  return parts.every(({ minItems = 0 }) => minItems === 0) ? { value: [] } : undefined;
}

function textOf(parts: readonly Schema[], { name, isEntry }: Position): ErrorTemplate | undefined {
  const format = parts.find((part) => part.format !== undefined)?.format;
  if (format !== undefined) return ownValue(formats, format);
  const lengths = parts.flatMap(({ maxLength }) => maxLength ?? []);
  const limit = lengths.length === 0 ? {} : { maxLength: Math.min(...lengths) };
  if (parts.some(({ minLength = 0 }) => minLength > 3)) return undefined;
  if (fieldName.test(name) || (isEntry && placeName.test(name))) return { from: "field", ...limit };
  if (isEntry && /^(type|code)$/i.test(name)) return { from: "code", ...limit };
  if (/^(title|type|error|code|name|status)$/i.test(name)) return { from: "title", ...limit };
  return { ...reasonOf({ isEntry }), ...limit };
}

function reasonOf({ isEntry }: Pick<Position, "isEntry">): { readonly from: "reason" | "reasons" } {
  return { from: isEntry ? "reason" : "reasons" };
}

const formats: Readonly<Record<string, ErrorTemplate>> = {
  uri: { value: "about:blank" },
  "uri-reference": { value: "about:blank" },
  uuid: { value: "00000000-0000-0000-0000-000000000000" },
  "date-time": { value: "1970-01-01T00:00:00Z" },
};

function numberOf(parts: readonly Schema[], name: string): ErrorTemplate | undefined {
  if (exclusiveBounds.some((each) => strictestBound(each.name, parts) !== undefined)) return undefined;
  const { least = -Infinity, most = Infinity } = sizeLimits("number", parts);
  if (/^(status|statusCode|code|http_?status)$/i.test(name) && least <= 400 && most >= 599) return { from: "status" };
  return { value: Math.min(Math.max(0, least), most) };
}

const exclusiveBounds = bounds.filter(({ measure, isExclusive }) => measure === "number" && isExclusive);

function propertiesOf(api: Api, schema: Schema): ReadonlyMap<string, { readonly schema: Schema }> {
  return new Map(
    partsOf(api, schema).flatMap((part) => (part.properties ?? []).map((each) => [each.name, each] as const)),
  );
}

/** Returns the schemas that always apply to a value: its own, what it refers to, and `allOf`. */
function partsOf(api: Api, schema: Schema, visited: Set<Schema> = new Set()): readonly Schema[] {
  if (visited.has(schema)) return [];
  visited.add(schema);
  const target = schema.ref === undefined ? undefined : schemasByName(api).get(schema.ref);
  return [
    schema,
    ...(target === undefined ? [] : partsOf(api, target, visited)),
    ...(schema.allOf ?? []).flatMap((each) => partsOf(api, each, visited)),
  ];
}
