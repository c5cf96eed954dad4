import type { Location } from "@redocly/openapi-core";
import { valueAt, type JsonType } from "../../../model/index.js";
import { parsePointer } from "../../read/spec-node.js";
import { isExtensionFieldName } from "../vocabulary.js";

/** A finding of another rule than `openapi/struct`, as far as an interpretation depends on it. */
export interface InterpretableFinding {
  readonly rule: string;
  /** The pointer in the file, with the leading #. */
  readonly pointer: string;
  /** The parsed file. */
  readonly document: unknown;
  /** Whether it is a reference to nothing, without whose target all else can be generated. */
  readonly isDangling: boolean;
}

/** An object or a field of one that does not conform to OpenAPI. */
export interface StructureIssue {
  readonly kind: "type" | "missing" | "missingAll" | "forbidden" | "unexpected" | "value" | "minimum";
  /** The type of the object, by Redocly's name. */
  readonly type: string;
  /** Absent if the object itself is of another type. */
  readonly field?: string | undefined;
  readonly value?: unknown;
  /** The type of values of the field. */
  readonly expected?: JsonType | undefined;
  readonly message: string;
  readonly fix?: string;
  readonly suggest?: readonly string[];
  readonly location: Location;
}

const overlay = "in an overlay where you cannot edit the description";

/**
 * Returns how a third-party description is read where it contradicts OpenAPI, and how to decide otherwise. Returns
 * `undefined` where there is no reading, so that the finding is an error.
 */
export function findInterpretation(finding: InterpretableFinding): string | undefined {
  const { rule, pointer, document } = finding;
  if (rule === "path-parameters-defined")
    return `A parameter that only the template has is a required text, and one that the template lacks is left out. To decide otherwise, correct the path or the parameter, ${overlay}.`;
  if (rule === "path-not-include-query")
    return `Its query becomes required query parameters with one value each. A server reaches the first operation of a path and method only. To decide otherwise, move the query to \`parameters\`, ${overlay}.`;
  if (rule === "no-undefined-server-variable")
    return `This server is left out, because its address is unknown. To decide otherwise, declare the variable with a default, ${overlay}.`;
  if (rule === "operation-operationId-unique" && isSharedByGetAndHead(pointer, document))
    return "The name of the HEAD operation begins with `head`. To decide otherwise, add an entry for `head` and the path under `names` in plumbline.yaml.";
  return rule === "no-unresolved-refs" ? interpretReference(finding) : undefined;
}

function interpretReference({ pointer, document, isDangling }: InterpretableFinding): string | undefined {
  if (/\/discriminator\/mapping\/[^/]+$/.test(pointer))
    return /^([^.:/]+|#\/components\/schemas\/.*)$/.test(textAt(document, pointer))
      ? `Its value selects nothing. To decide otherwise, define the schema, ${overlay}.`
      : undefined;
  if (!isDangling || /(?<!\/properties)\/(parameters\/\d+|requestBody|responses\/[^/]+)$/.test(pointer))
    return undefined;
  return /\/(schemas|definitions|\$defs)\//.test(textAt(document, `${pointer}/$ref`))
    ? `It is read as a schema that all values match. To decide otherwise, define the schema, ${overlay}.`
    : `It is left out. To decide otherwise, define it, ${overlay}.`;
}

/** Returns how what does not conform to OpenAPI is read, as `findInterpretation` does. */
export function interpretStructure(issue: StructureIssue): string | undefined {
  switch (issue.kind) {
    case "type":
      return interpretType(issue);
    case "value":
      return issue.type === "Schema" && issue.field === "type"
        ? `The type is ignored, so that values of all types are valid. To decide otherwise, write a type of JSON, ${overlay}.`
        : `It is read as if it were absent, and what needs it is left out. To decide otherwise, correct it, ${overlay}.`;
    case "missing":
      return dispensableFields.has(issue.field ?? "") || dispensableFields.has(`${issue.type}.${issue.field}`)
        ? `It is read as empty. To decide otherwise, add it, ${overlay}.`
        : leftOut;
    case "missingAll":
      if (issue.type === "Parameter")
        return `Its values are not checked. To decide otherwise, add a schema, ${overlay}.`;
      return issue.type === "Root" ? undefined : leftOut;
    case "forbidden":
      return leftOut;
    case "unexpected":
      return issue.field === "nullable"
        ? `In a schema it is read as in OpenAPI 3.0. To decide otherwise, remove it or add \`null\` to \`type\`, ${overlay}.`
        : undefined;
    case "minimum":
      return undefined;
  }
}

const leftOut = `What needs it is left out. To decide otherwise, add it, ${overlay}.`;

/** The required fields of OpenAPI without which everything can be generated, with the type if only that of one type. */
const dispensableFields: ReadonlySet<string> = new Set(
  "description responses title version ServerVariable.default License.name Tag.name".split(" "),
);

function interpretType({ type, field = "", value, expected, location }: StructureIssue): string | undefined {
  const isExclusiveBound = field === "exclusiveMinimum" || field === "exclusiveMaximum";
  if (isExclusiveBound && expected === "boolean" && typeof value === "number")
    return `It is read as an exclusive bound, as in OpenAPI 3.1. To decide otherwise, write \`true\` beside \`minimum\` or \`maximum\`, ${overlay}.`;
  if (isExclusiveBound && expected === "number" && typeof value === "boolean")
    return `It is read as in OpenAPI 3.0, where \`true\` makes the bound beside it exclusive. To decide otherwise, write the bound as a number, ${overlay}.`;
  if (field === "required" && expected === "array" && typeof value === "boolean")
    return `It is ignored. To require the property, list it in the \`required\` of its object, ${overlay}.`;
  if (value === null) return `It is read as if the key were absent. To decide otherwise, write a value, ${overlay}.`;
  if (type === "ServerVariable" && field === "default" && typeof value !== "object")
    return `It is read as a text. To decide otherwise, write it in quotes, ${overlay}.`;
  // Nothing can be generated without these, nor from a reference that is not a text.
  if (/^#\/?(paths|components|openapi)?$/.test(location.pointer) || field === "$ref") return undefined;
  return `It is read as if it were empty. To decide otherwise, correct it, ${overlay}.`;
}

function textAt(document: unknown, pointer: string): string {
  const value = valueAt(document, parsePointer(pointer.replace(/^#/, "")) ?? []);
  return typeof value === "string" ? value : "";
}

/** True for an operationId that GET and HEAD of one path share. */
function isSharedByGetAndHead(pointer: string, document: unknown): boolean {
  const tokens = parsePointer(pointer.replace(/^#/, "")) ?? [];
  const method = tokens.findLastIndex((token) => token === "get" || token === "head");
  const item = valueAt(document, tokens.slice(0, Math.max(method, 0)));
  const [get, head] = ["get", "head"].map((each) => valueAt(item, [each, "operationId"]));
  return get !== undefined && get === head;
}

/** True for a node in an extension field of another vocabulary, in which a `$ref` has no meaning that OpenAPI defines. */
export function isInForeignExtension(pointer: string): boolean {
  const tokens = parsePointer(pointer.replace(/^#/, "")) ?? [];
  return tokens.some(
    (token, index) => /^x-/i.test(token) && !isExtensionFieldName(token) && !namedMaps.has(tokens[index - 1] ?? ""),
  );
}

/** The objects whose keys are names, such as that of the header `x-request-id`. */
const namedMaps: ReadonlySet<string> = new Set([
  ..."properties patternProperties dependentSchemas $defs definitions schemas responses parameters examples".split(" "),
  ..."requestBodies headers securitySchemes links callbacks pathItems mapping encoding variables".split(" "),
]);
