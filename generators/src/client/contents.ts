import { importType, jsonLiteral, code, joinCode, type Code } from "@plumbline/kit/codegen";
import { listedMediaTypes, partKinds } from "@plumbline/kit/codegen/validation";
import { type Api, type MediaTypeObject, type Operation, type Schema, mediaKind } from "@plumbline/kit/model";
import { clientRuntime } from "./runtime.js";

/**
 * Returns the media types that a caller can choose from for a body. The first is the default: the first of the description, or JSON in its place if
 * both have one schema. The others have another schema, or are multipart.
 */
export function chosenContents({ requestBody }: Operation): readonly MediaTypeObject[] {
  const contents = requestBody?.contents ?? [];
  const first = contents.find(isSendable) ?? contents[0];
  if (first === undefined) return [];
  const json = contents.find((each) => each.mediaType === "application/json" && isSame(each, first));
  const chosen = json ?? first;
  const unique: MediaTypeObject[] = [chosen];
  for (const each of contents) if (isSendable(each) && !unique.some((other) => isSame(each, other))) unique.push(each);
  return unique;
}

/** A range such as `image/*` does not say what a request sends. */
function isSendable({ mediaType }: MediaTypeObject): boolean {
  return !mediaType.includes("*");
}

function isSame(one: MediaTypeObject, other: MediaTypeObject): boolean {
  if (one === other) return true;
  const kinds = [mediaKind(one.mediaType), mediaKind(other.mediaType)];
  if (kinds.includes("binary") || (kinds.includes("multipart") && kinds[0] !== kinds[1])) return false;
  if (kinds[0] !== kinds[1] && kinds.includes("text") && one.schema.types.includes("string")) return false;
  return structureOf(one.schema) === structureOf(other.schema);
}

function structureOf(schema: Schema): string {
  return JSON.stringify(schema, (key, value: unknown) => (key === "origin" || key === "sources" ? undefined : value));
}

/** Returns the media types of the parts that `FormData` cannot express, and the names of the parts with headers. */
export function specialParts(
  content: MediaTypeObject,
  api: Api,
): { readonly types: Readonly<Record<string, string>>; readonly withHeaders: readonly string[] } | undefined {
  if (mediaKind(content.mediaType) !== "multipart") return undefined;
  const kinds = partKinds(content, api);
  const entries = Object.entries(content.encoding);
  const withHeaders = entries.filter(([, { hasHeaders }]) => hasHeaders === true).map(([name]) => name);
  const types = new Map([...kinds].flatMap(([name, kind]) => (kind === "json" ? [[name, "application/json"]] : [])));
  for (const [name, { contentType = "" }] of entries) {
    const type = listedMediaTypes(contentType).find((each) => !each.includes("*"));
    if (type !== undefined) types.set(name, type);
  }
  // What `FormData` sends for a text, and for a Blob without a type.
  const plain = (name: string): string => (kinds.get(name) === "file" ? "application/octet-stream" : "text/plain");
  const isSpecial = [...types].some(([name, type]) => type !== plain(name));
  return isSpecial || withHeaders.length > 0 ? { types: Object.fromEntries(types), withHeaders } : undefined;
}

/** True if a request has parts with headers, which callers write with `part`. */
export function hasPartHeaders(api: Api): boolean {
  return api.operations.some((operation) =>
    chosenContents(operation).some((content) => (specialParts(content, api)?.withHeaders ?? []).length > 0),
  );
}

/** Returns the type of a multipart body in which some parts may have headers. */
export function withParts(type: Code, names: readonly string[]): Code {
  if (names.length === 0) return type;
  const all = names.map((name) => code`${jsonLiteral(name)}`);
  return code`${importType("WithParts", clientRuntime)}<${type}, ${joinCode(all, code` | `)}>`;
}
