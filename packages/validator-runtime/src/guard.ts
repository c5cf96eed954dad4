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

/** A request, as much of it as there is before its body. */
export interface Exchange {
  readonly method: string;
  /** As it was sent: `/v4/compute/instances?page=1`. */
  readonly target: string;
  /** By name in lower case. */
  header(name: string): string | undefined;
  /** How many bytes the body has: 0 for none, undefined when that will be seen. */
  readonly length: number | undefined;
}

export interface GuardOptions {
  /** Where the API's paths begin: `"/v4"`, or several. What is elsewhere passes untouched. */
  readonly basePath?: string | readonly string[];
  /** Fields of a body that nobody described are handed on, taken away, or faults. */
  readonly unknown?: Unknown;
  /** Bytes of a body; 1 MiB unless said. */
  readonly bodyLimit?: number;
  /** Names of the operations to judge; others pass untouched. */
  readonly operations?: readonly string[];
  /** Other words for a fault; undefined leaves them as they are. */
  readonly reason?: Reason;
}

/** Judged, and fit for the handler. */
export interface Accepted {
  readonly kind: "accepted";
  readonly operation: Operation;
  readonly input: Groups;
}

export type Verdict = { readonly kind: "pass" } | Refusal | Accepted;

/** All but the body is judged. Read it, at most `limit` bytes of it, and ask `judgeBody`. */
export interface Pending {
  readonly kind: "pending";
  readonly limit: number;
  /** True where the operation takes bytes as they come, so that nobody has to hold all of them. */
  readonly isStream: boolean;
  /** Whether the request says how many bytes there are; not more than the limit, then. */
  readonly isDeclared: boolean;
  /** Asynchronous for multipart bodies alone. */
  judgeBody(bytes: Uint8Array): Verdict | Promise<Verdict>;
  /** The verdict when there are more bytes than the limit. */
  judgeTooLarge(): Refusal;
  /** The verdict on a body that is handed on as it comes. */
  judgeStream(body: unknown): Verdict;
}

export interface Guard {
  judge(exchange: Exchange): Verdict | Pending;
  /** What a request is for, before any of it is judged; undefined outside the base paths. */
  find(exchange: Exchange): Found<Planned> | undefined;
  /** Judges a request that was found, with a limit of its body that may be its operation's own. */
  judgeFound(found: FoundRoute, exchange: Exchange, bodyLimit?: number): Verdict | Pending;
  /** What is said where there is no operation. */
  refuse(found: Exclude<Found<Planned>, FoundRoute>): Refusal;
}

export type FoundRoute = Extract<Found<Planned>, { readonly kind: "route" }>;

export const usualBodyLimit = 1_048_576;

/** The middle of every adapter: knows operations and HTTP, and no framework. */
export function buildGuard(operations: Iterable<Operation>, options: GuardOptions = {}): Guard {
  const { basePath = "", operations: names, bodyLimit = usualBodyLimit } = options;
  const all = [...operations];
  const unknownName = names?.find((name) => !all.some((each) => each.definition.name === name));
  if (unknownName !== undefined) throw new TypeError(`operations: there is no ${unknownName}`);
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

/** An operation, and the names in its path. */
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
  // An id that does not fit is an id that does not exist.
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

/** What is promised is judged before it is read; what is not promised may turn out to be nothing. */
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
