import {
  type Api,
  type OperationResponse,
  type ProblemDetailsFormat,
  type Schema,
  mediaKind,
  pickDefined,
  schemaParts,
  sizeLimits,
} from "../../model/index.js";
import type { SpecNode } from "../read/spec-node.js";
import { readSources } from "./sources.js";

/**
 * Whether errors are problem details (RFC 9457): as `x-problem-details` of the root says, or else if every documented error body is one that
 * servers and validators can fill.
 */
export function readProblemDetails(root: SpecNode, api: Api): ProblemDetailsFormat | undefined {
  const place = root.get("x-problem-details");
  if (place?.raw === false) return undefined;
  const types = place?.text("types");
  if (place !== undefined && (place.raw === true || types !== undefined))
    return { ...pickDefined("types", types), sources: readSources(place), origin: place.origin };
  return documentsProblems(api) ? { sources: [], origin: root.origin } : undefined;
}

function documentsProblems(api: Api): boolean {
  const responses = api.operations.flatMap((operation) =>
    operation.responses.filter(
      ({ status, contents }) =>
        contents.length > 0 && (status === "default" ? operation.responses.length > 1 : String(status) >= "4"),
    ),
  );
  return responses.length > 0 && responses.every((response) => acceptsProblem(api, response));
}

/** Whether a response may have the problem details that servers and validators write. */
function acceptsProblem(api: Api, { contents, status }: OperationResponse): boolean {
  const json = contents.filter(({ mediaType }) => mediaKind(mediaType) === "json");
  const problem = json.find(({ mediaType }) => mediaType === "application/problem+json");
  if (problem === undefined) return false;
  return (
    isOpenObject(api, problem.schema, { required: ["type", "title", "status", "detail"], allowed: problemFields }) &&
    acceptsText(api, fieldOf(api, problem.schema, "type"), ["uri", "uri-reference"]) &&
    acceptsText(api, fieldOf(api, problem.schema, "title")) &&
    acceptsText(api, fieldOf(api, problem.schema, "detail")) &&
    acceptsText(api, fieldOf(api, problem.schema, "instance"), ["uri-reference"]) &&
    acceptsStatus(api, fieldOf(api, problem.schema, "status"), status) &&
    acceptsEntries(api, fieldOf(api, problem.schema, "errors"))
  );
}

const problemFields = ["type", "title", "status", "detail", "instance", "errors"];
const entryFields = ["detail", "pointer", "parameter", "header"];

/** Whether an object may have the allowed fields, and needs no others than the required ones. */
function isOpenObject(
  api: Api,
  schema: Schema,
  { required, allowed }: { readonly required: readonly string[]; readonly allowed: readonly string[] },
): boolean {
  return schemaParts(api, schema).every((part) => {
    const { types, properties = [], additionalProperties } = part;
    const needed = [...(part.required ?? []), ...properties.filter((each) => each.required).map(({ name }) => name)];
    const isClosed = additionalProperties?.never === true || part.unevaluatedProperties?.never === true;
    return (
      !hasAlternatives(part) &&
      (types.length === 0 || types.includes("object")) &&
      needed.every((name) => required.includes(name)) &&
      (!isClosed || allowed.every((name) => properties.some((each) => each.name === name)))
    );
  });
}

function acceptsText(api: Api, schema: Schema | undefined, formats: readonly string[] = []): boolean {
  if (schema === undefined) return true;
  const parts = schemaParts(api, schema);
  return (
    (sizeLimits("characters", parts).most ?? Infinity) >= longestText &&
    (sizeLimits("characters", parts).least ?? 0) <= 1 &&
    parts.every(
      ({ types, format, ...part }) =>
        !hasAlternatives(part) &&
        !isLiteral(part) &&
        part.pattern === undefined &&
        (types.length === 0 || types.includes("string")) &&
        (format === undefined || formats.includes(format)),
    )
  );
}

/** Servers and validators cut the texts of a problem. */
const longestText = 1024;

function acceptsStatus(api: Api, schema: Schema | undefined, status: OperationResponse["status"]): boolean {
  if (schema === undefined) return true;
  const parts = schemaParts(api, schema);
  const { least = 0, most = Infinity } = sizeLimits("number", parts);
  return parts.every(({ types, ...part }) => {
    const isNumber = types.length === 0 || types.includes("integer") || types.includes("number");
    const isOwn = part.const === status || (part.const === undefined && (part.enum ?? [status]).includes(status));
    return !hasAlternatives(part) && isNumber && (isLiteral(part) ? isOwn : least <= 400 && most >= 599);
  });
}

function acceptsEntries(api: Api, schema: Schema | undefined): boolean {
  if (schema === undefined) return true;
  const parts = schemaParts(api, schema);
  const { least = 0, most = Infinity } = sizeLimits("items", parts);
  return (
    least <= 1 &&
    most >= 100 &&
    parts.every(({ types, items, ...part }) => {
      if (hasAlternatives(part) || isLiteral(part) || !(types.length === 0 || types.includes("array"))) return false;
      if (items === undefined) return true;
      return (
        isOpenObject(api, items, { required: ["detail"], allowed: entryFields }) &&
        entryFields.every((name) => acceptsText(api, fieldOf(api, items, name)))
      );
    })
  );
}

type Branching = Pick<Schema, "anyOf" | "oneOf" | "not" | "if" | "never">;

function hasAlternatives({ anyOf, oneOf, not, if: condition, never }: Branching): boolean {
  return [anyOf, oneOf, not, condition, never].some((each) => each !== undefined);
}

function isLiteral(schema: Pick<Schema, "const" | "enum">): boolean {
  return schema.const !== undefined || schema.enum !== undefined;
}

function fieldOf(api: Api, schema: Schema, name: string): Schema | undefined {
  const fields = schemaParts(api, schema).flatMap(({ properties = [] }) =>
    properties.filter((each) => each.name === name).map((each) => each.schema),
  );
  const [first] = fields;
  return first === undefined || fields.length === 1 ? first : { types: [], allOf: fields, origin: first.origin };
}
