import { createExampleRequest, exampleBase, hasJsonResult, type ExampleRequest } from "@plumbline/kit/codegen/samples";
import { sampleSchema } from "@plumbline/kit/codegen/values";
import {
  isItemStream,
  mediaKind,
  preferredContent,
  type Api,
  type MediaTypeObject,
  type Operation,
  type Parameter,
  type SecurityScheme,
} from "@plumbline/kit/model";
import type { ConsoleBody, ConsoleCredential, ConsoleOperation, ConsoleParameter } from "../console/console-data.js";
import type { SiteContext } from "../site-context.js";
import { bodyFields, parameterField } from "./form-fields.js";

/** Creates what the page of an operation carries for its console. */
export function consoleOperation(
  { api, client, console }: Pick<SiteContext, "api" | "client" | "console">,
  operation: Operation,
): ConsoleOperation {
  const { name, method, path, parameters, requestBody, responses } = operation;
  const contents = requestBody?.contents ?? [];
  const preferred = preferredContent(contents);
  const example = createExampleRequest(api, operation);
  const sorted = [...contents].sort((a, b) => Number(b === preferred) - Number(a === preferred));
  return {
    name,
    method,
    path,
    base: exampleBase(api, operation),
    clientBase: example.clientBase,
    servers: absoluteServers(api, operation),
    parameters: parameters.map((each) => consoleParameter(api, each, example)),
    bodies: sorted.map((each) => consoleBody(api, each, requestBody?.required === true)),
    credentials: credentialsOf(api, operation),
    client,
    hasResult: hasJsonResult(operation),
    responses: Object.fromEntries(
      responses.map((each) => [String(each.status), each.contents.map(({ mediaType }) => mediaType)] as const),
    ),
    ...(console?.mock === undefined ? {} : { mock: console.mock.digest }),
  };
}

/** The addresses of servers that are absolute. A page has no address of its own for the others. */
export function absoluteServers(api: Api, { servers }: Pick<Operation, "servers">): readonly string[] {
  return (servers.length > 0 ? servers : api.servers)
    .map(({ url }) => url.replace(/\/$/, ""))
    .filter((url) => /^https?:\/\//.test(url));
}

function consoleParameter(api: Api, parameter: Parameter, { parameters }: ExampleRequest): ConsoleParameter {
  const groups = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const;
  const example = parameters[groups[parameter.in]][parameter.name];
  return {
    in: parameter.in,
    style: parameter.style,
    explode: parameter.explode,
    ...(parameter.allowReserved ? { allowReserved: true } : {}),
    ...(parameter.segments > 1 ? { hasSegments: true } : {}),
    field: parameterField(api, parameter),
    ...(parameter.required && example !== undefined ? { example } : {}),
  };
}

function consoleBody(api: Api, content: MediaTypeObject, isRequired: boolean): ConsoleBody {
  const { mediaType, schema } = content;
  // Streams of items are texts, whose lines only their authors know.
  const kind = isItemStream(content) ? "text" : mediaKind(mediaType);
  const fields = bodyFields(api, schema, kind);
  return {
    mediaType,
    kind,
    isRequired,
    fields,
    example: kind === "binary" ? null : (content.example ?? sampleSchema(api, schema).value),
  };
}

/** The credentials of the first security requirement that has any. */
function credentialsOf(api: Api, { security }: Operation): readonly ConsoleCredential[] {
  const requirement = security.find((each) => each.length > 0) ?? [];
  return requirement
    .flatMap(({ scheme }) => api.securitySchemes.find(({ name }) => name === scheme) ?? [])
    .flatMap(credentialOf);
}

function credentialOf(scheme: SecurityScheme): readonly ConsoleCredential[] {
  const inHeader = { in: "header", name: "Authorization" } as const;
  switch (scheme.kind) {
    case "bearer":
    case "oauth2":
    case "openIdConnect":
      return [{ ...inHeader, prefix: "Bearer ", variable: "TOKEN" }];
    case "basic":
      return [{ ...inHeader, prefix: "Basic ", variable: "CREDENTIALS" }];
    case "http":
      return [{ ...inHeader, prefix: `${scheme.scheme} `, variable: "CREDENTIALS" }];
    case "apiKey":
      return [{ in: scheme.in, name: scheme.key, prefix: "", variable: "API_KEY" }];
    case "mutualTLS":
      return [];
  }
}
