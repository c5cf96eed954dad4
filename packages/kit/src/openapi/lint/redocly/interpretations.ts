import { valueAt } from "../../../model/index.js";
import { isDispensableReference, parsePointer } from "../../read/spec-node.js";
import { isExtensionFieldName } from "../vocabulary.js";

/** A finding of Redocly, as far as an interpretation depends on it. */
export interface InterpretableFinding {
  readonly rule: string;
  readonly message: string;
  /** The pointer in the file, with the leading #. */
  readonly pointer: string;
  /** The parsed file. */
  readonly document: unknown;
}

/**
 * Returns how a third-party description is read where it contradicts OpenAPI, and how to decide otherwise. Returns
 * `undefined` where there is no reading, so that the finding is an error.
 */
export function findInterpretation(finding: InterpretableFinding): string | undefined {
  return interpretations.find(({ applies }) => applies(finding))?.decision;
}

interface Interpretation {
  readonly applies: (finding: InterpretableFinding) => boolean;
  readonly decision: string;
}

const overlay = "in an overlay where you cannot edit the description";

const interpretations: readonly Interpretation[] = [
  {
    applies: (finding) => isDangling(finding) && /\/(schemas|definitions|\$defs)\//.test(referenceAt(finding)),
    decision: `It is read as a schema that all values match. To decide otherwise, define the schema, ${overlay}.`,
  },
  {
    applies: isDangling,
    decision: `It is left out. To decide otherwise, define it, ${overlay}.`,
  },
  {
    applies: ({ rule, message, pointer, document }) =>
      rule === "no-unresolved-refs" &&
      message.startsWith("There is no schema") &&
      /^([^.:/]+|#\/components\/schemas\/.*)$/.test(textAt(document, pointer)),
    decision: `Its value selects nothing. To decide otherwise, define the schema, ${overlay}.`,
  },
  {
    applies: ({ rule, message, pointer }) =>
      rule === "struct" &&
      /^Expected type `boolean` but got `(integer|number)`/.test(message) &&
      /\/exclusive(Minimum|Maximum)$/.test(pointer),
    decision: `It is read as an exclusive bound, as in OpenAPI 3.1. To decide otherwise, write \`true\` beside \`minimum\` or \`maximum\`, ${overlay}.`,
  },
  {
    applies: ({ rule, message, pointer }) =>
      rule === "struct" &&
      /^Expected type `(integer|number)` but got `boolean`/.test(message) &&
      /\/exclusive(Minimum|Maximum)$/.test(pointer),
    decision: `It is read as in OpenAPI 3.0, where \`true\` makes the bound beside it exclusive. To decide otherwise, write the bound as a number, ${overlay}.`,
  },
  {
    applies: ({ rule, message, pointer }) =>
      rule === "struct" &&
      message.startsWith("Expected type `array` but got `boolean`") &&
      pointer.endsWith("/required"),
    decision: `It is ignored. To require the property, list it in the \`required\` of its object, ${overlay}.`,
  },
  {
    applies: ({ rule, message }) => rule === "struct" && message.startsWith("Property `nullable` is not expected here"),
    decision: `In a schema it is read as in OpenAPI 3.0. To decide otherwise, remove it or add \`null\` to \`type\`, ${overlay}.`,
  },
  {
    applies: ({ rule, message }) => rule === "struct" && /^Expected type .* but got `null`/.test(message),
    decision: `It is read as if the key were absent. To decide otherwise, write a value, ${overlay}.`,
  },
  {
    applies: ({ rule, message }) =>
      rule === "struct" && message.startsWith('`type` can be one of the following only: "object", "array"'),
    decision: `The type is ignored, so that values of all types are valid. To decide otherwise, write a type of JSON, ${overlay}.`,
  },
  {
    applies: ({ rule, message, pointer }) =>
      rule === "struct" && isDispensable(/^The field `(\w+)` must be present/.exec(message)?.[1], pointer),
    decision: `It is read as empty. To decide otherwise, add it, ${overlay}.`,
  },
  {
    applies: ({ rule, message, pointer }) =>
      rule === "struct" &&
      message.startsWith("Must contain at least one of the following fields: schema, content") &&
      /\/parameters\/[^/]+$/.test(pointer),
    decision: `Its values are not checked. To decide otherwise, add a schema, ${overlay}.`,
  },
  {
    applies: ({ rule, message, pointer }) =>
      rule === "struct" &&
      /^Expected type `string` but got `(integer|number|boolean)`/.test(message) &&
      /\/variables\/[^/]+\/default$/.test(pointer),
    decision: `It is read as a text. To decide otherwise, write it in quotes, ${overlay}.`,
  },
  {
    applies: ({ rule, message, pointer }) =>
      rule === "struct" && /^Expected type .* but got/.test(message) && !isIndispensable(pointer),
    decision: `It is read as if it were empty. To decide otherwise, correct it, ${overlay}.`,
  },
  {
    applies: ({ rule, message }) =>
      rule === "struct" && /^(The field|Must contain at least one of the following fields: (?!paths))/.test(message),
    decision: `What needs it is left out. To decide otherwise, add it, ${overlay}.`,
  },
  {
    applies: ({ rule, message }) => rule === "struct" && message.includes("can be one of the following only"),
    decision: `It is read as if it were absent, and what needs it is left out. To decide otherwise, correct it, ${overlay}.`,
  },
  {
    applies: ({ rule }) => rule === "path-parameters-defined",
    decision: `A parameter that only the template has is a required text, and one that the template lacks is left out. To decide otherwise, correct the path or the parameter, ${overlay}.`,
  },
  {
    applies: ({ rule }) => rule === "path-not-include-query",
    decision: `Its query becomes required query parameters with one value each. A server reaches the first operation of a path and method only. To decide otherwise, move the query to \`parameters\`, ${overlay}.`,
  },
  {
    applies: ({ rule }) => rule === "no-undefined-server-variable",
    decision: `This server is left out, because its address is unknown. To decide otherwise, declare the variable with a default, ${overlay}.`,
  },
  {
    applies: ({ rule, pointer, document }) =>
      rule === "operation-operationId-unique" && isSharedByGetAndHead(pointer, document),
    decision:
      "The name of the HEAD operation begins with `head`. To decide otherwise, add an entry for `head` and the path under `names` in plumbline.yaml.",
  },
];

/** True for a reference to nothing, without whose target all else can be generated. Redocly says more where a file is missing. */
function isDangling(finding: InterpretableFinding): boolean {
  if (finding.rule !== "no-unresolved-refs" || finding.message !== "Can't resolve $ref") return false;
  const isNeeded = /(?<!\/properties)\/(parameters\/\d+|requestBody|responses\/[^/]+)$/.test(finding.pointer);
  return !isNeeded && isDispensableReference(referenceAt(finding));
}

function referenceAt({ document, pointer }: InterpretableFinding): string {
  return textAt(document, `${pointer}/$ref`);
}

function textAt(document: unknown, pointer: string): string {
  const value = valueAt(document, parsePointer(pointer.replace(/^#/, "")) ?? []);
  return typeof value === "string" ? value : "";
}

/** True for a node without which nothing can be generated, and for a reference. */
function isIndispensable(pointer: string): boolean {
  return /^#\/?(paths|components|openapi)?$/.test(pointer) || pointer.endsWith("/$ref");
}

/** True for a required field of OpenAPI without which everything can be generated. */
function isDispensable(field: string | undefined, pointer: string): boolean {
  if (field === "description" || field === "responses" || field === "title" || field === "version") return true;
  if (field === "default") return /\/variables\/[^/]+$/.test(pointer);
  return field === "name" && /^#\/(info\/license|tags\/\d+)$/.test(pointer);
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
export const namedMaps: ReadonlySet<string> = new Set([
  ..."properties patternProperties dependentSchemas $defs definitions schemas responses parameters examples".split(" "),
  ..."requestBodies headers securitySchemes links callbacks pathItems mapping encoding variables".split(" "),
]);
