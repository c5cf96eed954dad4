import { shownBy, type Shower } from "./credentials.js";
import type { Sent } from "./http.js";
import { asText, isFields, isList, type Fields } from "./json.js";
import { encode, queryOf } from "./query.js";
import type { CallStep, Json, OperationFacts } from "./suite.js";
import { evaluate, isAbsent, type Values } from "./template.js";

/** An encoded request, and the values that later steps can read of it. */
export interface Prepared {
  readonly sent: Sent;
  readonly seen: { readonly path: Fields; readonly query: Fields; readonly body: Json };
}

export interface RequestContext {
  /** The base URL, without the operation's path. */
  readonly url: string;
  readonly facts: OperationFacts;
  readonly values: Values;
  /** Undefined: an anonymous request. */
  readonly by: Shower | undefined;
  readonly userAgent: string;
}

/** Encodes the request of a step. */
export function prepare(step: CallStep, context: RequestContext): Prepared {
  const { facts, values } = context;
  const path = workedOut(step.path, values);
  const query = workedOut(step.query, values);
  const payload = payloadOf(step, context);
  const shown = shownBy(context.by, facts.credentials);
  const headers: Record<string, string> = {
    accept: "application/json, */*;q=0.5",
    "user-agent": context.userAgent,
    ...shown.headers,
    ...(payload.mediaType === undefined ? {} : { "content-type": payload.mediaType }),
  };
  for (const [name, value] of Object.entries(workedOut(step.headers, values)))
    headers[name.toLowerCase()] = headerText(value);
  const asked = queryOf({ ...shown.query, ...query }, facts.parameters);
  const start = step.address === undefined ? context.url + pathOf(facts, path) : addressOf(step.address, context);
  return {
    sent: {
      method: step.method ?? facts.method.toUpperCase(),
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

function payloadOf(step: CallStep, { facts, values }: RequestContext): Payload {
  if (step.raw !== undefined) {
    const text = asText(evaluate(step.raw.text, values));
    return { text, seen: text, ...(step.raw.mediaType === null ? {} : { mediaType: step.raw.mediaType }) };
  }
  if (step.body === undefined) return { seen: null };
  const body = evaluate(step.body, values);
  if (isAbsent(body)) return { seen: null };
  const mediaType = facts.mediaType ?? "application/json";
  return { text: written(body, mediaType), mediaType, seen: body };
}

function written(body: Json, mediaType: string): string {
  if (/[/+]json\b/i.test(mediaType)) return JSON.stringify(body);
  if (/^application\/x-www-form-urlencoded\b/i.test(mediaType) && isFields(body)) return queryOf(body, []);
  return asText(body);
}

/** Expands the path template. An id of several segments keeps its slashes. */
function pathOf(facts: OperationFacts, values: Fields): string {
  return facts.path.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw new Error(`${facts.method} ${facts.path} is called without its path parameter ${name}. Set it in "path".`);
    const parameter = facts.parameters.find((each) => each.in === "path" && each.name === name);
    const text = isList(value) ? value.map(asText).join(",") : asText(value);
    return (parameter?.segments ?? 1) > 1 ? text.split("/").map(encode).join("/") : encode(text);
  });
}

/** Resolves a path against the server; keeps an absolute address. */
function addressOf(address: Json, { url, values }: RequestContext): string {
  const given = asText(evaluate(address, values));
  return /^https?:/i.test(given) ? given : `${url}${given.startsWith("/") ? "" : "/"}${given}`;
}

/** Headers carry Latin-1, so JSON in them escapes characters beyond ASCII. */
function headerText(value: Json): string {
  const beyond = typeof value === "string" ? /[\u0100-\uffff]/g : /[\u007f-\uffff]/g;
  return asText(value).replace(beyond, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A request line cannot have spaces, characters beyond ASCII or lone surrogates. */
function sendable(url: string): string {
  return /^[\x21-\x7e]*$/.test(url)
    ? url
    : url.replace(/[\ud800-\udfff]/gu, "\ufffd").replace(/[^\x21-\x7e]+/g, (each) => encodeURIComponent(each));
}

function workedOut(templates: Readonly<Record<string, Json>> | undefined, values: Values): Fields {
  if (templates === undefined) return none;
  const entries = Object.entries(templates).map(([name, each]) => [name, evaluate(each, values)] as const);
  return Object.fromEntries(entries.filter(([, value]) => !isAbsent(value)));
}

const none: Fields = {};
