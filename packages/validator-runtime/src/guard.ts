import { isAcceptable } from "./accept.js";
import { bytes, json } from "./bodies.js";
import type { Faults } from "./faults.js";
import { Findings, judgeContent, judgeParameters, queryOf, type Groups, type Unknown } from "./judge.js";
import { contentFor, parseMediaType, type MediaType } from "./media-type.js";
import type { ContentDefinition, Definition, Operation } from "./operation.js";
import type { Reason } from "./public-fault.js";
import { refusalOf, type Refusal } from "./refusal.js";
import { buildRoutes, namesIn, type Found } from "./routes.js";
import { sentInCookies, sentInHeaders, sentInPath } from "./sent.js";

/** A request without its body. */
export interface Exchange {
  readonly method: string;
  /** The request target as the client sent it, such as `/v4/compute/instances?page=1`. */
  readonly target: string;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Length of the body in bytes: 0 for no body, undefined if it is not declared. */
  readonly length: number | undefined;
}

export interface GuardOptions {
  /**
   * Base paths of the API, such as `"/v4"`, or several. Requests outside them pass unchanged.
   *
   * @defaultValue "", or in Express and Fastify where you mount the validator
   */
  readonly basePath?: string | readonly string[];
  /**
   * What to do with undocumented body properties: `"ignore"` passes them on, `"strip"` removes them, `"reject"` responds with 400.
   *
   * @defaultValue "ignore"
   */
  readonly unknown?: Unknown;
  /**
   * Maximum size of a body in bytes.
   *
   * @defaultValue 1 MiB
   */
  readonly bodyLimit?: number;
  /**
   * Names of the operations to validate. Requests to other operations pass unchanged.
   *
   * @defaultValue all operations
   */
  readonly operations?: readonly string[];
  /** Returns the text for a fault. Undefined keeps the default text. */
  readonly reason?: Reason;
}

/** A valid request, and the input for its handler. */
export interface Accepted {
  readonly kind: "accepted";
  readonly operation: Operation;
  readonly input: Groups;
}

export type Verdict = { readonly kind: "pass" } | Refusal | Accepted;

/** A request whose body is not validated yet. Read at most `limit` bytes of it, and call `judgeBody`. */
export interface Pending {
  readonly kind: "pending";
  readonly limit: number;
  /** True if the operation accepts the body as a stream, so that it need not be buffered. */
  readonly isStream: boolean;
  /** True if the request declares its length, which is then within the limit. */
  readonly isDeclared: boolean;
  /** Validates the bytes of the body. Asynchronous for multipart bodies only. */
  judgeBody(bytes: Uint8Array): Verdict | Promise<Verdict>;
  /** The error response for a body that exceeds the limit. */
  judgeTooLarge(): Refusal;
  /** Accepts a body that is passed on as a stream. */
  judgeStream(body: unknown): Verdict;
}

export interface Guard {
  judge(exchange: Exchange): Verdict | Pending;
  /** Finds the route of a request before validation. Undefined outside the base paths. */
  find(exchange: Exchange): Found<Planned> | undefined;
  /**
   * Validates a request with a known route.
   *
   * @param bodyLimit replaces the limit of the options, in bytes
   */
  judgeFound(found: FoundRoute, exchange: Exchange, bodyLimit?: number): Verdict | Pending;
  /** The error response for an unknown path or method. */
  refuse(found: Exclude<Found<Planned>, FoundRoute>): Refusal;
}

export type FoundRoute = Extract<Found<Planned>, { readonly kind: "route" }>;

export const usualBodyLimit = 1_048_576;

/**
 * Creates the request validator that all adapters share. It knows operations and HTTP, but no framework.
 *
 * @throws TypeError for an unknown name in `operations`
 */
export function buildGuard(operations: Iterable<Operation>, options: GuardOptions = {}): Guard {
  const { basePath = "", operations: names, bodyLimit = usualBodyLimit } = options;
  const all = [...operations];
  const unknownName = names?.find((name) => !all.some((each) => each.definition.name === name));
  if (unknownName !== undefined) throw new TypeError(`Unknown operation "${unknownName}" in option \`operations\`.`);
  const judged = names === undefined ? undefined : new Set(names);
  const routes = buildRoutes(all.map(planned), basePath);
  const settled: Settled = { bodyLimit, unknown: options.unknown ?? "ignore", reason: options.reason };
  const find = ({ method, target }: Exchange): Found<Planned> | undefined => routes.find(method, target);
  const refuse: Guard["refuse"] = (found) =>
    found.kind === "path" ? refusalOf(findingsOf({ code: "path" }, settled)) : notAllowed(found.allow, settled);
  return {
    judge: (exchange) => {
      const found = find(exchange);
      if (found === undefined) return pass;
      if (found.kind !== "route") return refuse(found);
      if (judged !== undefined && !judged.has(found.route.definition.name)) return pass;
      return judgeRoute(found, exchange, settled);
    },
    find,
    refuse,
    judgeFound: (found, exchange, own = bodyLimit) =>
      judgeRoute(found, exchange, own === bodyLimit ? settled : { ...settled, bodyLimit: own }),
  };
}

/** An operation with the names of its path parameters. */
export interface Planned {
  readonly operation: Operation;
  readonly definition: Definition;
  readonly names: readonly string[];
}

const pass = { kind: "pass" } as const;

function planned(operation: Operation): Planned {
  const { definition } = operation;
  return { operation, definition, names: namesIn(definition.path) };
}

interface Settled {
  readonly bodyLimit: number;
  readonly unknown: Unknown;
  readonly reason: Reason | undefined;
}

function judgeRoute(found: FoundRoute, exchange: Exchange, options: Settled): Verdict | Pending {
  const judged = judgeParts(found, exchange, options);
  const named = <Given extends Verdict | Pending>(verdict: Given): Given =>
    verdict.kind === "refusal" ? { ...verdict, operation: found.route.definition.name } : verdict;
  if (judged.kind !== "pending") return named(judged);
  return {
    ...judged,
    judgeBody: (read) => {
      const verdict = judged.judgeBody(read);
      return verdict instanceof Promise ? verdict.then(named) : named(verdict);
    },
    judgeTooLarge: () => named(judged.judgeTooLarge()),
    judgeStream: (body) => named(judged.judgeStream(body)),
  };
}

function judgeParts({ route, values, query }: FoundRoute, exchange: Exchange, options: Settled): Verdict | Pending {
  const { operation, definition, names } = route;
  const findings = new Findings(options.reason);
  const header = (name: string) => exchange.header(name);
  const input = judgeParameters(
    definition,
    (place, faults) => {
      if (place === "path") return sentInPath(names, values);
      if (place === "query") return queryOf(query, faults);
      return place === "header" ? sentInHeaders(header) : sentInCookies(header("cookie"));
    },
    findings,
  );
  // An id that is not valid does not exist.
  if (findings.all.length > 0 && findings.all.some((fault) => fault.in === "path"))
    return refusalOf(findingsOf({ code: "path" }, options));
  const accept = definition.produces === undefined ? undefined : header("accept");
  if (definition.produces !== undefined && accept !== undefined && !isAcceptable(accept, definition.produces)) {
    return refusalOf(findingsOf({ code: "accept", first: definition.produces }, options));
  }
  const judging: Judging = { operation, findings, input, options };
  if (definition.body === undefined) return verdictOf(judging);
  if (exchange.length === 0) return judgeNoBytes(judging);
  return pendingOf(judging, exchange);
}

interface Judging {
  readonly operation: Operation;
  readonly findings: Findings;
  readonly input: Groups;
  readonly options: Settled;
}

function verdictOf({ operation, findings, input }: Judging): Verdict {
  return findings.all.length === 0 ? { kind: "accepted", operation, input } : refusalOf(findings);
}

function judgeNoBytes(judging: Judging): Verdict {
  const { operation, findings } = judging;
  if (operation.definition.body?.required === true) findings.take([{ path: [], code: "required" }], "body");
  return verdictOf(judging);
}

/** Checks a declared body before it is read. A body without a declared length may turn out to be empty. */
function pendingOf(judging: Judging, exchange: Exchange): Verdict | Pending {
  const { options } = judging;
  const { length } = exchange;
  const limit = options.bodyLimit;
  if (length !== undefined && length > limit) return judgeTooLarge(options);
  const chosen = choose(judging, exchange);
  if (length !== undefined && isRefusal(chosen)) return chosen;
  return {
    kind: "pending",
    limit,
    isStream: !isRefusal(chosen) && chosen.content.read === bytes,
    isDeclared: length !== undefined,
    judgeBody: (read) => {
      if (read.length === 0) return judgeNoBytes(judging);
      return isRefusal(chosen) ? chosen : judgeBytes(read, chosen, judging);
    },
    judgeTooLarge: () => judgeTooLarge(options),
    judgeStream: (body) => {
      if (isRefusal(chosen)) return chosen;
      judging.input["body"] = body;
      return verdictOf(judging);
    },
  };
}

function isRefusal(chosen: Chosen | Refusal): chosen is Refusal {
  return chosen.kind === "refusal";
}

function judgeTooLarge(options: Settled): Refusal {
  return refusalOf(findingsOf({ code: "size", first: options.bodyLimit }, options));
}

interface Chosen {
  readonly kind: "chosen";
  readonly content: ContentDefinition;
  readonly type: MediaType;
}

function choose({ operation, options }: Judging, exchange: Exchange): Chosen | Refusal {
  const contents = operation.definition.body?.contents ?? {};
  const encoding = exchange.header("content-encoding");
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") {
    return refusalOf(findingsOf({ code: "encoding" }, options));
  }
  const type = parseMediaType(exchange.header("content-type") ?? "");
  const content = type === undefined ? undefined : contentFor(contents, type);
  return type === undefined || content === undefined
    ? refusalOf(findingsOf({ code: "media", first: Object.keys(contents) }, options))
    : { kind: "chosen", content, type };
}

function judgeBytes(read: Uint8Array, { content, type }: Chosen, judging: Judging): Verdict | Promise<Verdict> {
  const faults: Faults = [];
  const value = (content.read ?? json)(read, type, faults);
  if (value instanceof Promise) return value.then((parsed) => judgeRead(parsed, { content, faults, judging }));
  return judgeRead(value, { content, faults, judging });
}

interface Reading {
  readonly content: ContentDefinition;
  readonly faults: Faults;
  readonly judging: Judging;
}

function judgeRead(value: unknown, { content, faults, judging }: Reading): Verdict {
  const { findings, input, options } = judging;
  const charset = faults.find((fault) => fault.code === "media");
  if (charset !== undefined) return refusalOf(findingsOf(charset, options));
  if (faults.length === 0) {
    input["body"] = judgeContent(value, content, { unknown: options.unknown, faults });
  }
  if (faults.length > 0) findings.take(faults, "body");
  return verdictOf(judging);
}

function notAllowed(allow: readonly string[], options: Settled): Refusal {
  const refusal = refusalOf(findingsOf({ code: "method", first: allow }, options));
  return { ...refusal, headers: { ...refusal.headers, allow: allow.join(", ") } };
}

function findingsOf(
  { code, first }: { readonly code: Faults[number]["code"]; readonly first?: unknown },
  { reason }: Settled,
): Findings {
  const findings = new Findings(reason);
  findings.take([{ path: [], code, first }], "request");
  return findings;
}
