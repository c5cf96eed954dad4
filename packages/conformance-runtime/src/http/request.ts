import { encodeCredentials, type CredentialSource } from "./credential-encoding.js";
import type { HttpRequest } from "./http-client.js";
import { toText, isJsonObject, isJsonArray, type JsonObject } from "../values/json.js";
import { percentEncode, encodeQuery } from "./query.js";
import type { CallStep, Json, OperationInfo } from "../suite.js";
import { evaluateTemplate, isAbsent, type TemplateValues } from "../values/template.js";

/** An encoded request, and the values that later steps can read of it. */
export interface PreparedRequest {
  readonly request: HttpRequest;
  readonly seen: { readonly path: JsonObject; readonly query: JsonObject; readonly body: Json };
}

export interface PrepareContext {
  /** The base URL, without the operation's path. */
  readonly url: string;
  readonly info: OperationInfo;
  readonly values: TemplateValues;
  /** Undefined: an anonymous request. */
  readonly caller: CredentialSource | undefined;
  readonly userAgent: string;
}

/** Encodes the request of a step. */
export function prepareRequest(step: CallStep, context: PrepareContext): PreparedRequest {
  const { info, values } = context;
  const path = evaluateAll(step.path, values);
  const query = evaluateAll(step.query, values);
  const payload = payloadOf(step, context);
  const shown = encodeCredentials(context.caller, info.credentials);
  const headers: Record<string, string> = {
    accept: "application/json, */*;q=0.5",
    "user-agent": context.userAgent,
    ...shown.headers,
    ...(payload.mediaType === undefined ? {} : { "content-type": payload.mediaType }),
  };
  for (const [name, value] of Object.entries(evaluateAll(step.headers, values)))
    headers[name.toLowerCase()] = headerText(value);
  const asked = encodeQuery({ ...shown.query, ...query }, info.parameters);
  const start = step.address === undefined ? context.url + pathOf(info, path) : addressOf(step.address, context);
  return {
    request: {
      method: step.method ?? info.method.toUpperCase(),
      url: sendable(asked === "" ? start : `${start}${start.includes("?") ? "&" : "?"}${asked}`),
      headers,
      ...(payload.text === undefined ? {} : { body: payload.text }),
    },
    seen: { path, query, body: payload.seen },
  };
}

interface Payload {
  readonly text?: string;
  readonly mediaType?: string;
  readonly seen: Json;
}

function payloadOf(step: CallStep, { info, values }: PrepareContext): Payload {
  if (step.raw !== undefined) {
    const text = toText(evaluateTemplate(step.raw.text, values));
    return { text, seen: text, ...(step.raw.mediaType === null ? {} : { mediaType: step.raw.mediaType }) };
  }
  if (step.body === undefined) return { seen: null };
  const body = evaluateTemplate(step.body, values);
  if (isAbsent(body)) return { seen: null };
  const mediaType = info.mediaType ?? "application/json";
  return { text: encodeParameter(body, mediaType), mediaType, seen: body };
}

function encodeParameter(body: Json, mediaType: string): string {
  if (/[/+]json\b/i.test(mediaType)) return JSON.stringify(body);
  if (/^application\/x-www-form-urlencoded\b/i.test(mediaType) && isJsonObject(body)) return encodeQuery(body, []);
  return toText(body);
}

/** Expands the path template. An id of several segments keeps its slashes. */
function pathOf(facts: OperationInfo, values: JsonObject): string {
  return facts.path.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw new Error(`${facts.method} ${facts.path} is called without its path parameter ${name}. Set it in "path".`);
    const parameter = facts.parameters.find((each) => each.in === "path" && each.name === name);
    const text = isJsonArray(value) ? value.map(toText).join(",") : toText(value);
    return (parameter?.segments ?? 1) > 1 ? text.split("/").map(percentEncode).join("/") : percentEncode(text);
  });
}

/** Resolves a path against the server; keeps an absolute address. */
function addressOf(address: Json, { url, values }: PrepareContext): string {
  const given = toText(evaluateTemplate(address, values));
  return /^https?:/i.test(given) ? given : `${url}${given.startsWith("/") ? "" : "/"}${given}`;
}

/** Headers carry Latin-1, so JSON in them escapes characters beyond ASCII. */
function headerText(value: Json): string {
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
