import type { CallStep, Json, OperationInfo } from "../suite.js";
import { toText, isJsonObject, type JsonObject } from "../values/json.js";
import { evaluateTemplate, isAbsent, type TemplateValues } from "../values/template.js";
import { encodeCredentials, type CredentialSource } from "./credential-encoding.js";
import { isJsonMediaType } from "./decode-response.js";
import type { HttpRequest } from "./http-client.js";
import { encodeMultipart } from "./multipart.js";
import { encodePath } from "./path.js";
import { encodeCookies, encodeForm, encodeQuery, explodedPairs, flatValues } from "./query.js";

/** An encoded request, and the values that later steps can read of it. */
export interface PreparedRequest {
  readonly request: HttpRequest;
  readonly seen: { readonly path: JsonObject; readonly query: JsonObject; readonly body: Json };
}

/** The operation that a request calls, and its caller. */
export interface EncodeContext {
  /** The base URL, without the operation's path. */
  readonly url: string;
  readonly info: OperationInfo;
  /** Undefined: an anonymous request. */
  readonly caller: CredentialSource | undefined;
  readonly userAgent: string;
}

export interface PrepareContext extends EncodeContext {
  readonly values: TemplateValues;
}

/** Evaluates the templates of a step and encodes its request. */
export function prepareRequest(step: CallStep, { values, ...context }: PrepareContext): PreparedRequest {
  const path = evaluateAll(step.path, values);
  const query = evaluateAll(step.query, values);
  const { seen, ...payload } = payloadOf(step, context.info, values);
  const request = encodeRequest(
    {
      path,
      query,
      headers: evaluateAll(step.headers, values),
      cookies: evaluateAll(step.cookies, values),
      payload,
      method: step.method,
      address: step.address === undefined ? undefined : toText(evaluateTemplate(step.address, values)),
    },
    context,
  );
  return { request, seen: { path, query, body: seen } };
}

/** The values of a request, without templates. */
export interface RequestParts {
  readonly path?: JsonObject | undefined;
  readonly query?: JsonObject | undefined;
  readonly headers?: JsonObject | undefined;
  readonly cookies?: JsonObject | undefined;
  readonly payload?: RequestPayload | undefined;
  /** Default: the method of the operation. */
  readonly method?: string | undefined;
  /** A path of the server, or an absolute address. Default: the path of the operation. */
  readonly address?: string | undefined;
}

/** The body of a request. */
export interface RequestPayload {
  readonly text?: string;
  readonly mediaType?: string;
}

/** Encodes a request as the description of its operation defines. */
export function encodeRequest(
  {
    path = none,
    query = none,
    headers: ownHeaders = none,
    cookies = none,
    payload = {},
    method,
    address,
  }: RequestParts,
  { url, info, caller, userAgent }: EncodeContext,
): HttpRequest {
  const credentials = encodeCredentials(caller, info.credentials);
  const headers = Object.assign(Object.create(null) as Record<string, string>, {
    accept: "application/json, */*;q=0.5",
    "user-agent": userAgent,
    ...credentials.headers,
    ...(payload.mediaType === undefined ? {} : { "content-type": payload.mediaType }),
  });
  const cookieText = [headers["cookie"] ?? [], encodeCookies(cookies, info.parameters) || []].flat().join("; ");
  if (cookieText !== "") headers["cookie"] = cookieText;
  for (const [name, value] of Object.entries(ownHeaders)) headers[name.toLowerCase()] = headerText(name, value, info);
  const queryText = encodeQuery({ ...credentials.query, ...query }, info.parameters);
  const start = address === undefined ? url + encodePath(info, path) : resolveAddress(address, url);
  return {
    method: method ?? info.method.toUpperCase(),
    url: sendable(queryText === "" ? start : `${start}${start.includes("?") ? "&" : "?"}${queryText}`),
    headers,
    body: payload.text,
  };
}

function payloadOf(
  step: CallStep,
  info: OperationInfo,
  values: TemplateValues,
): RequestPayload & { readonly seen: Json } {
  if (step.raw !== undefined) {
    const text = toText(evaluateTemplate(step.raw.text, values));
    return { text, seen: text, ...(step.raw.mediaType === null ? {} : { mediaType: step.raw.mediaType }) };
  }
  if (step.body === undefined) return { seen: null };
  const body = evaluateTemplate(step.body, values);
  if (isAbsent(body)) return { seen: null };
  const mediaType = info.mediaType ?? "application/json";
  if (/^multipart\/form-data\b/i.test(mediaType) && isJsonObject(body))
    return { ...encodeMultipart(body, info.files ?? {}), seen: body };
  return { text: encodeBody(body, mediaType, info), mediaType, seen: body };
}

function encodeBody(body: Json, mediaType: string, { formFields = [] }: OperationInfo): string {
  if (isJsonMediaType(mediaType)) return JSON.stringify(body);
  if (/^application\/x-www-form-urlencoded\b/i.test(mediaType) && isJsonObject(body))
    return encodeForm(body, formFields);
  return toText(body);
}

/** Resolves a path against the server; keeps an absolute address. */
function resolveAddress(address: string, url: string): string {
  return /^https?:/i.test(address) ? address : `${url}${address.startsWith("/") ? "" : "/"}${address}`;
}

/** Writes a header in its style, or as JSON. Headers carry Latin-1, so JSON in them escapes characters beyond ASCII. */
function headerText(name: string, value: Json, { parameters }: OperationInfo): string {
  const parameter = parameters.find((each) => each.in === "header" && each.name.toLowerCase() === name.toLowerCase());
  if (parameter !== undefined && parameter.mediaType === undefined && typeof value === "object") {
    const pairs = parameter.explode && isJsonObject(value) ? explodedPairs(name, value) : undefined;
    return (pairs?.map((pair) => pair.map(toText).join("=")) ?? flatValues(value).map(toText)).join();
  }
  const beyond = typeof value === "string" ? /[\u0100-\uffff]/g : /[\u007f-\uffff]/g;
  return toText(value).replace(beyond, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A request line cannot have spaces, characters beyond ASCII or lone surrogates. */
function sendable(url: string): string {
  return /^[\x21-\x7e]*$/.test(url)
    ? url
    : url.replace(/[\ud800-\udfff]/gu, "\ufffd").replace(/[^\x21-\x7e]+/g, (each) => encodeURIComponent(each));
}

function evaluateAll(templates: Readonly<Record<string, Json>> | undefined, values: TemplateValues): JsonObject {
  if (templates === undefined) return none;
  const entries = Object.entries(templates).map(([name, each]) => [name, evaluateTemplate(each, values)] as const);
  return Object.fromEntries(entries.filter(([, value]) => !isAbsent(value)));
}

const none: JsonObject = {};
