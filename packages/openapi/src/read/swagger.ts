import { isJsonObject } from "@plumbline/model";
import { formatPointer, type SourceFile } from "./spec-node.js";
import { swaggerTokens } from "./swagger-places.js";

interface SwaggerLoss {
  readonly tokens: readonly string[];
  readonly message: string;
}

/** The library that converts. Users install it beside the generator. */
export const swaggerConverter = "@scalar/openapi-upgrader";

const converted = new WeakMap<SourceFile, Promise<SourceFile>>();

/** Converts a Swagger 2.0 file to OpenAPI 3.0, with the locations of the original. Returns any other file, and all without the library. */
export async function convertSwagger(file: SourceFile): Promise<SourceFile> {
  if (!isJsonObject(file.value) || file.value["swagger"] !== "2.0") return file;
  const known = converted.get(file) ?? convert(file, file.value);
  converted.set(file, known);
  return known;
}

async function convert(file: SourceFile, swagger: Readonly<Record<string, unknown>>): Promise<SourceFile> {
  const library = await import("@scalar/openapi-upgrader").catch(() => undefined);
  if (library === undefined) return file;
  const { value, failure } = upgradeOrFail(library.upgrade, swagger);
  if (failure !== undefined) return { ...file, swagger: { failure, losses: [] } };
  const locate: SourceFile["locate"] = (tokens) => {
    const original = swaggerTokens(tokens, swagger, value);
    return { ...file.locate(original), file: file.name, pointer: formatPointer(original) };
  };
  const losses = [...findLosses(swagger)].map(({ tokens, message }) => ({
    origin: { file: file.name, pointer: formatPointer(tokens), ...file.locate(tokens) },
    message,
  }));
  return { ...file, value, locate, swagger: { losses } };
}

/** Returns why the library throws, as it does for invalid descriptions. */
function upgradeOrFail(
  upgrade: (value: Record<string, unknown>, version: "3.0") => unknown,
  swagger: Readonly<Record<string, unknown>>,
): { readonly value?: unknown; readonly failure?: string } {
  try {
    const value: unknown = JSON.parse(JSON.stringify(upgrade(structuredClone(swagger), "3.0")));
    for (const { node } of nodesOf(value))
      if (typeof node["collectionFormat"] === "string") delete node["collectionFormat"]; // reported as a loss
    return { value };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Finds what OpenAPI 3 has no counterpart for. */
function* findLosses(swagger: Readonly<Record<string, unknown>>): Generator<SwaggerLoss> {
  for (const { node, tokens } of nodesOf(swagger)) yield* lossesOf(node, tokens);
}

/** All objects of a description, in the order of the text. */
function* nodesOf(
  root: unknown,
): Generator<{ readonly node: Record<string, unknown>; readonly tokens: readonly string[] }> {
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

function* lossesOf(node: Readonly<Record<string, unknown>>, tokens: readonly string[]): Generator<SwaggerLoss> {
  const { collectionFormat, schemes } = node;
  const isNested = tokens.at(-1) === "items";
  const isHeader = tokens.at(-2) === "headers";
  if (collectionFormat === "tsv" || (isHeader && (collectionFormat === "ssv" || collectionFormat === "pipes")))
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
