import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { repositoryRoot } from "../../faults/repository.js";
import { readFields, type Answered, type Asked, type Sample } from "../../support/foreign/serving.js";
import { createValidator } from "./sample-validation.js";

export type Fields = Record<string, unknown>;

/** The owner of a token, which a login outside of the API creates. */
export interface SampleCaller {
  readonly user: string;
  readonly account: string;
  readonly scopes: readonly string[];
  /** What the caller may do besides its scopes. */
  readonly role?: string;
}

export interface SampleCall {
  readonly operation: string;
  readonly caller: SampleCaller;
  /** The parameters of the path. */
  readonly values: readonly string[];
  /** The last of them, as a number. */
  readonly id: number;
  readonly fields: Fields;
  readonly query: URLSearchParams;
}

/** What an operation does besides, as a fault: the operation, and the effect once it has changed its object. */
export type SideEffect = readonly [operation: string, effect: (subject: Fields, call: SampleCall) => void];

/** Runs the side effect of a fault in its operation. */
export function sideEffectOf(
  effects: Readonly<Record<string, SideEffect>>,
  fault = "",
): (subject: Fields, call: SampleCall) => void {
  const effect = effects[fault];
  return (subject, call) => {
    if (effect?.[0] === call.operation) effect[1](subject, call);
  };
}

/** A rejection, which becomes an error body. */
export class SampleRejection extends Error {
  readonly status: number;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(status: number, field?: string, retryAfter?: number) {
    super(`status ${status}`);
    this.status = status;
    this.field = field;
    this.retryAfter = retryAfter;
  }
}

export interface SampleApi {
  /** The file in `test/descriptions/annotated`. */
  readonly description: string;
  readonly callers: Readonly<Record<string, SampleCaller>>;
  /** The scopes that each operation requires. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  /** The scopes of a token with those that they include. Default: the same. */
  readonly implied?: (held: readonly string[]) => readonly string[];
  readonly handlers: Readonly<Record<string, (call: SampleCall) => Answered>>;
  /** The token of a request. Default: that of `Authorization: Bearer`. */
  readonly credential?: (asked: Asked) => string | undefined;
  /** The status of an invalid body. Default: 400. */
  readonly invalidStatus?: number;
  /** The body of a rejection. Default: a list of errors. */
  readonly rejectionBody?: (field: string | undefined, status: number) => Fields;
  /** The media type of that body. Default: JSON. */
  readonly rejectionType?: string;
  /** Requests of each user, and the length of the window in milliseconds. Absent: no limit. */
  readonly rate?: { readonly max: number; readonly window: number };
  /** The clock of the rates, in milliseconds. Default: that of this machine. */
  readonly now?: (() => number) | undefined;
  /** Runs once the caller is known, and before the body is read. May return headers of the response. */
  readonly beforeHandler?: (call: Omit<SampleCall, "fields">) => Readonly<Record<string, string>> | undefined;
  /** Which checks of this framework the fault leaves out. */
  readonly without: (check: SampleCheck, operation: string) => boolean;
}

export type SampleCheck = "token" | "scope" | "validation" | "rate" | "rate-headers" | "retry-after";

/** A server of a description of `test/descriptions/annotated`, which validates bodies with `ajv`. */
export function sampleApi(api: SampleApi): Sample {
  const { description, callers, scopes, handlers, rate, without, invalidStatus = 400 } = api;
  const {
    credential = bearerToken,
    rejectionBody = errorList,
    beforeHandler,
    now = Date.now,
    implied = (held) => held,
  } = api;
  const rejectionHeaders = { "content-type": api.rejectionType ?? "application/json" };
  const document = readDescription(description);
  const routes = routesOf(document);
  const validate = createValidator(document);
  const requests = new Map<string, readonly number[]>();

  return (asked) => {
    try {
      return respond(asked);
    } catch (error) {
      if (!(error instanceof SampleRejection)) throw error;
      const { status, field, retryAfter } = error;
      const headers = { ...rejectionHeaders, ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }) };
      return { status, headers, body: rejectionBody(field, status) };
    }
  };

  function respond(asked: Asked): Answered {
    const matching = routes.flatMap((route) => {
      const found = route.pattern.exec(asked.path);
      return found === null ? [] : [{ ...route, values: found.slice(1) }];
    });
    const [some] = matching;
    if (some === undefined) throw new SampleRejection(404);
    const route = matching.find(({ method }) => method === asked.method);
    if (route === undefined)
      return {
        status: 405,
        headers: { ...rejectionHeaders, allow: matching.map(({ method }) => method).join(", ") },
        body: rejectionBody(undefined, 405),
      };
    const { operation, pointer, values } = route;
    const caller = callerOf(asked, operation);
    const rateHeaders = count(caller, operation);
    const text = values.at(-1) ?? "0";
    const id = /^[1-9][0-9]*$/.test(text) ? Number(text) : 0;
    const call = { operation, caller, values, id, query: asked.query };
    const ownHeaders = beforeHandler?.(call);
    const handler = handlers[operation];
    if (handler === undefined) throw new Error(`No handler of ${operation}.`);
    const answered = handler({ ...call, fields: fieldsOf(asked, operation, pointer) });
    return { ...answered, headers: { ...answered.headers, ...rateHeaders, ...ownHeaders } };
  }

  function callerOf(asked: Asked, operation: string): SampleCaller {
    const token = credential(asked) ?? "";
    const [anyone] = Object.values(callers);
    const caller = callers[token] ?? (without("token", operation) ? anyone : undefined);
    if (caller === undefined) throw new SampleRejection(401);
    const held = implied(caller.scopes);
    const missing = (scopes[operation] ?? []).filter((scope) => !held.includes(scope));
    if (missing.length > 0 && !without("scope", operation)) throw new SampleRejection(403);
    return caller;
  }

  /** Returns the headers about the rate. */
  function count({ user }: SampleCaller, operation: string): Readonly<Record<string, string>> {
    if (rate === undefined) return {};
    const at = now();
    const earlier = (requests.get(user) ?? []).filter((time) => time > at - rate.window);
    const [oldest] = earlier;
    if (earlier.length >= rate.max && oldest !== undefined && !without("rate", operation)) {
      const wait = Math.ceil((oldest + rate.window - at) / 1000);
      throw new SampleRejection(429, undefined, without("retry-after", operation) ? undefined : Math.max(wait, 1));
    }
    requests.set(user, [...earlier, at]);
    const left = rate.max - earlier.length - (without("rate-headers", operation) ? 0 : 1);
    return {
      "quota-policy": `"requests";q=${rate.max};w=${rate.window / 1000}`,
      quota: `"requests";r=${Math.max(left, 0)};t=${Math.ceil(((oldest ?? at) + rate.window - at) / 1000)}`,
    };
  }

  function fieldsOf(asked: Asked, operation: string, pointer: string | undefined): Fields {
    if (pointer === undefined) return {};
    const fields = readFields(asked);
    if (typeof fields === "number") throw new SampleRejection(fields === 400 ? invalidStatus : fields);
    const invalid = validate(pointer, fields);
    if (invalid !== undefined && !without("validation", operation))
      throw new SampleRejection(invalidStatus, invalid === "" ? undefined : invalid);
    return { ...fields };
  }
}

function bearerToken({ headers }: Asked): string | undefined {
  return /^Bearer (\S+)$/i.exec(headers["authorization"] ?? "")?.[1];
}

function errorList(field: string | undefined): Fields {
  return { errors: [{ ...(field === undefined ? {} : { field }), reason: "This is not possible." }] };
}

interface SampleRoute {
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation: string;
  /** The JSON pointer to the schema of its body. */
  readonly pointer: string | undefined;
}

function readDescription(name: string): Fields {
  return parse(readFileSync(path.join(repositoryRoot, "test", "descriptions", "annotated", name), "utf8")) as Fields;
}

function routesOf({ paths }: Fields): readonly SampleRoute[] {
  return Object.entries(paths as Readonly<Record<string, Fields>>).flatMap(([template, item]) =>
    Object.entries(item).flatMap(([method, value]) => {
      if (!/^(?:get|put|post|patch|delete)$/.test(method)) return [];
      const { operationId, requestBody } = value as Fields;
      const escaped = template.replaceAll("~", "~0").replaceAll("/", "~1");
      return {
        method: method.toUpperCase(),
        pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "([^/]+)")}$`),
        operation: String(operationId),
        pointer:
          requestBody === undefined
            ? undefined
            : `#/paths/${escaped}/${method}/requestBody/content/application~1json/schema`,
      };
    }),
  );
}
