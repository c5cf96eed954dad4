import { isJsonObject, valueAt } from "../../../model/index.js";
import { formatPointer, type SourceFile } from "../spec-node.js";
import { convertDocument } from "./document.js";
import { bodyParameters, formParameters, swaggerMethods, type SwaggerNode } from "./parameters.js";
import { swaggerTokens } from "./places.js";

interface SwaggerLoss {
  readonly tokens: readonly string[];
  readonly message: string;
}

const converted = new WeakMap<SourceFile, SourceFile>();

/** Converts a Swagger 2.0 file to OpenAPI 3.0, with the locations of the original. Returns any other file. */
export function convertSwagger(file: SourceFile): SourceFile {
  if (!isJsonObject(file.value) || file.value["swagger"] !== "2.0") return file;
  const conversion = converted.get(file) ?? convert(file, file.value);
  converted.set(file, conversion);
  return conversion;
}

function convert(file: SourceFile, swagger: SwaggerNode): SourceFile {
  const value = convertDocument(swagger);
  const locate: SourceFile["locate"] = (tokens) => {
    const original = swaggerTokens(tokens, swagger, value);
    return { ...file.locate(original), file: file.name, pointer: formatPointer(original) };
  };
  const losses = [...findLosses(swagger, value)].map(({ tokens, message }) => ({
    origin: { file: file.name, pointer: formatPointer(tokens), ...file.locate(tokens) },
    message,
  }));
  return { ...file, value, locate, swagger: { losses } };
}

/** Finds what OpenAPI 3 has no counterpart for. */
function* findLosses(swagger: SwaggerNode, value: SwaggerNode): Generator<SwaggerLoss> {
  for (const { node, tokens } of nodesOf(swagger)) {
    yield* lossesOf(node, tokens);
    const { $ref: reference } = node;
    if (typeof reference === "string" && !reference.startsWith("#") && isOutsideSchemas(tokens)) {
      const message =
        "What other files have is not converted: bodies, and the types of parameters and responses, are lost.";
      yield { tokens, message };
    }
    const isOperation = tokens.length === 3 && tokens[0] === "paths" && swaggerMethods.has(tokens[2] ?? "");
    if (isOperation) yield* lossesOfBody(swagger, { operation: tokens, content: contentOf(value, tokens) });
  }
}

/** True for the place of a path, a parameter or a response. Schemas need no conversion. */
function isOutsideSchemas(tokens: readonly string[]): boolean {
  const parent = tokens.at(-2);
  return (parent === "paths" && tokens.length === 2) || parent === "parameters" || parent === "responses";
}

function contentOf(value: SwaggerNode, operation: readonly string[]): readonly string[] {
  const content = valueAt(value, [...operation, "requestBody", "content"]);
  return isJsonObject(content) ? Object.keys(content) : [];
}

interface Body {
  readonly operation: readonly string[];
  /** The media types of the converted body. */
  readonly content: readonly string[];
}

/** Finds what the request body of an operation does not have of its parameters. */
function* lossesOfBody(swagger: SwaggerNode, { operation, content }: Body): Generator<SwaggerLoss> {
  const [body, ...others] = bodyParameters(swagger, operation);
  for (const { tokens } of others) yield { tokens, message: "An operation has one body, so this one is left out." };
  for (const { node, tokens } of formParameters(swagger, operation)) {
    if (body !== undefined)
      yield { tokens, message: "An operation has a body or a form, so this form parameter is left out." };
    else if (isJoined(node) && content.some((type) => type.startsWith("multipart/")))
      yield {
        tokens: [...tokens, "collectionFormat"],
        message: "Lists in multipart forms have no format in OpenAPI 3.0: each item is a part.",
      };
  }
}

function isJoined({ collectionFormat }: SwaggerNode): boolean {
  return collectionFormat === "csv" || collectionFormat === "ssv" || collectionFormat === "pipes";
}

/** All objects of a description, in the order of the text. */
function* nodesOf(root: unknown): Generator<{ readonly node: SwaggerNode; readonly tokens: readonly string[] }> {
  const pending: { readonly node: unknown; readonly tokens: readonly string[] }[] = [{ node: root, tokens: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, tokens } = next;
    if (typeof node !== "object" || node === null) continue;
    if (isJsonObject(node)) yield { node, tokens };
    const entries = Object.entries(node).filter(([key]) => !key.startsWith("x-") && !valueKeys.has(key));
    for (const [key, child] of entries.toReversed()) pending.push({ node: child, tokens: [...tokens, key] });
  }
}

/** Keys of values, which are not part of the description. */
const valueKeys: ReadonlySet<string> = new Set(["example", "examples", "default", "enum"]);

function* lossesOf(node: SwaggerNode, tokens: readonly string[]): Generator<SwaggerLoss> {
  const { collectionFormat, schemes } = node;
  const isNested = tokens.at(-1) === "items";
  const hasCommas = tokens.at(-2) === "headers" || node["in"] === "header" || node["in"] === "path";
  if (collectionFormat === "tsv" || (hasCommas && (collectionFormat === "ssv" || collectionFormat === "pipes")))
    yield {
      tokens: [...tokens, "collectionFormat"],
      message: `"collectionFormat: ${collectionFormat}" has no counterpart in OpenAPI 3, so the list has its default form.`,
    };
  else if (isNested && typeof collectionFormat === "string")
    yield {
      tokens: [...tokens, "collectionFormat"],
      message: "Lists within lists have no format in OpenAPI 3.",
    };
  if (Array.isArray(schemes) && schemes.some((each) => each === "ws" || each === "wss"))
    yield { tokens: [...tokens, "schemes"], message: "A generated client does not use WebSockets." };
}
