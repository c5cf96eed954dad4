import {
  isJsonArray,
  isJsonObject,
  mediaKind,
  preferredContent,
  schemaParts,
  type Api,
  type Json,
  type MediaKind,
  type Operation,
  type Parameter,
  type Schema,
  type SecurityScheme,
} from "../../model/index.js";
import { isBinary } from "../types/bytes.js";
import { sampleSchema } from "../values/sample-schema.js";

/** A request that a reader could send: required parameters, the example of the body, and placeholders for credentials. */
export interface ExampleRequest {
  readonly method: string;
  /** The absolute URL with its query, but without credentials. */
  readonly url: string;
  readonly headers: readonly ExampleHeader[];
  readonly body?: ExampleBody;
  /** The base URL that the options of a client have to state: where the description has no absolute one, clients have no default. */
  readonly clientBase?: string | undefined;
  /** The required parameters by location, as clients take them. */
  readonly parameters: Readonly<Record<"path" | "query" | "headers" | "cookies", Readonly<Record<string, Json>>>>;
}

/** A header of an example. `variable` is the credential that follows its text, such as `TOKEN` after `Bearer `. */
export interface ExampleHeader {
  readonly name: string;
  readonly text: string;
  readonly variable?: string;
}

/** The body of an example: a JSON value, the fields of a form, or only its media type. */
export interface ExampleBody {
  readonly kind: MediaKind;
  readonly mediaType: string;
  readonly value: Json;
  /** The fields of a form that are files. Their values are the names of these after `@`. */
  readonly files?: readonly string[] | undefined;
}

/** Creates an example of a request from the examples of the description. Without a server it uses https://api.example.com. */
export function createExampleRequest(api: Api, operation: Operation): ExampleRequest {
  const valuesIn = (location: Parameter["in"]): Readonly<Record<string, Json>> =>
    Object.fromEntries(
      operation.parameters
        .filter((each) => each.in === location && each.required)
        .map((each) => [each.name, exampleOf(api, each)] as const),
    );
  const parameters = {
    path: valuesIn("path"),
    query: valuesIn("query"),
    headers: valuesIn("header"),
    cookies: valuesIn("cookie"),
  };
  const body = exampleBody(api, operation);
  const credentials = exampleCredentials(api, operation);
  const query = [...Object.entries(parameters.query).map(queryPart), ...credentials.query];
  const path = operation.path.replaceAll(/\{([^}]*)\}/g, (part, name: string) =>
    Object.hasOwn(parameters.path, name) ? pathText(parameters.path[name] ?? "") : part,
  );
  return {
    method: operation.method,
    url: `${exampleBase(api, operation)}${path}${query.length === 0 ? "" : `?${query.join("&")}`}`,
    headers: [
      ...credentials.headers,
      ...Object.entries(parameters.headers).map(([name, value]) => ({ name, text: plainText(value) })),
      ...cookieHeader(parameters.cookies),
      ...(body === undefined || body.kind === "multipart" ? [] : [{ name: "Content-Type", text: body.mediaType }]),
    ],
    ...(body === undefined ? {} : { body }),
    clientBase: isAbsoluteUrl(api.servers[0]?.url ?? "") ? undefined : exampleBase(api, operation),
    parameters,
  };
}

/** The address of an operation's first server, without a slash at its end. Without a server it is `https://api.example.com`. */
export function exampleBase(api: Api, { servers }: Pick<Operation, "servers">): string {
  const address = servers[0]?.url ?? api.servers[0]?.url ?? "";
  return (isAbsoluteUrl(address) ? address : `https://api.example.com${address}`).replace(/\/$/, "");
}

function isAbsoluteUrl(address: string): boolean {
  return /^https?:\/\//.test(address);
}

function exampleOf(api: Api, { schema }: Parameter): Json {
  return sampleSchema(api, schema).value;
}

function exampleBody(api: Api, { requestBody }: Operation): ExampleBody | undefined {
  const content = preferredContent(requestBody?.contents ?? []);
  if (content === undefined) return undefined;
  const { mediaType, schema, example } = content;
  const kind = mediaKind(mediaType);
  const value = example ?? sampleSchema(api, schema).value;
  if (kind !== "multipart" || !isJsonObject(value)) return { kind, mediaType, value };
  const files = schemaParts(api, schema)
    .flatMap((part) => part.properties ?? [])
    .filter((each) => isFile(api, each.schema) && Object.hasOwn(value, each.name))
    .map(({ name }) => name);
  const fileNames = Object.fromEntries(files.map((name) => [name, "@photo.jpg"] as const));
  return { kind, mediaType, value: { ...value, ...fileNames }, files };
}

/** Whether a field of a form is a file, or a list of files. */
function isFile(api: Api, schema: Schema): boolean {
  return schemaParts(api, schema).some(
    (part) => isBinary(part) || (part.items !== undefined && schemaParts(api, part.items).some(isBinary)),
  );
}

interface ExampleCredentials {
  readonly headers: readonly ExampleHeader[];
  readonly query: readonly string[];
}

/** The credentials of the first security requirement that is not empty. */
function exampleCredentials(api: Api, { security }: Operation): ExampleCredentials {
  const requirement = security.find((each) => each.length > 0) ?? [];
  const schemes = requirement.flatMap(({ scheme }) => api.securitySchemes.find(({ name }) => name === scheme) ?? []);
  return {
    headers: schemes.flatMap(credentialHeader),
    query: schemes.flatMap((each) =>
      each.kind === "apiKey" && each.in === "query" ? [`${encodeURIComponent(each.key)}=API_KEY`] : [],
    ),
  };
}

function credentialHeader(scheme: SecurityScheme): readonly ExampleHeader[] {
  switch (scheme.kind) {
    case "bearer":
    case "oauth2":
    case "openIdConnect":
      return [{ name: "Authorization", text: "Bearer ", variable: "TOKEN" }];
    case "basic":
      return [{ name: "Authorization", text: "Basic ", variable: "CREDENTIALS" }];
    case "http":
      return [{ name: "Authorization", text: `${scheme.scheme} `, variable: "CREDENTIALS" }];
    case "apiKey":
      if (scheme.in === "header") return [{ name: scheme.key, text: "", variable: "API_KEY" }];
      return scheme.in === "cookie" ? [{ name: "Cookie", text: `${scheme.key}=`, variable: "API_KEY" }] : [];
    case "mutualTLS":
      return [];
  }
}

function cookieHeader(cookies: Readonly<Record<string, Json>>): readonly ExampleHeader[] {
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${encodeURIComponent(plainText(value))}`);
  return pairs.length === 0 ? [] : [{ name: "Cookie", text: pairs.join("; ") }];
}

function queryPart([name, value]: readonly [string, Json]): string {
  const texts = isJsonArray(value) ? value.map(plainText) : [plainText(value)];
  return texts.map((text) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`).join("&");
}

/** Ids with slashes keep them, as in `compute/debian12`. */
function pathText(value: Json): string {
  return encodeURIComponent(plainText(value)).replaceAll("%2F", "/") || "example";
}

/** A value as text: what it is in a URL or a header. */
export function plainText(value: Json): string {
  if (typeof value === "string") return value;
  return isJsonArray(value) || isJsonObject(value) ? JSON.stringify(value) : String(value);
}
