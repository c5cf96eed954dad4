import { isAcceptable } from "../decode/accept.js";
import { binaryBody, jsonBody } from "../decode/bodies.js";
import { contentFor, parseMediaType, type MediaType } from "../decode/media-type.js";
import { cookieParameters, headerParameters, pathParameters, recordReads } from "../decode/raw-parameters.js";
import { createErrorResponse, type ErrorResponse } from "../issues/error-response.js";
import { IssueCollector } from "../issues/issue-collector.js";
import type { Issues } from "../issues/issues.js";
import type { ReasonFormatter } from "../issues/validation-issue.js";
import type { ContentDefinition, OperationDefinition } from "../operation-definition.js";
import { buildRoutes, namesIn, type RouteMatch } from "../routing/routes.js";
import type { Operation } from "./operation.js";
import type { RequestHead } from "./request-head.js";
import {
  validateContent,
  validateParameters,
  queryOf,
  type InputGroups,
  type UnknownFieldPolicy,
} from "./validate-input.js";

export interface ValidatorOptions {
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
  readonly unknown?: UnknownFieldPolicy;
  /**
   * What to do with query parameters that the description does not have: `"ignore"` passes them on, `"reject"` responds with 400.
   *
   * @defaultValue "ignore"
   */
  readonly unknownQuery?: "ignore" | "reject";
  /** Query parameters that belong to no operation, such as API keys. Generated packages provide those of the security schemes. */
  readonly queryCredentials?: readonly string[];
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
  /**
   * Whether requests pass unchanged that the description does not have: unknown paths, and methods that a path does not have. A router that is more
   * lenient than the description may then run a handler without validation; `inputOf` throws there.
   *
   * @defaultValue false
   */
  readonly ignoreUndocumented?: boolean;
  /** Paths without their query, such as `/^\/v4\/internal\//`, whose requests pass unchanged. */
  readonly ignorePaths?: RegExp | ((path: string) => boolean);
  /**
   * Names of operations whose bodies other middleware reads, such as `multer`. Their parameters and media types are validated, and their bodies
   * pass unread: reading `body` of the input throws a TypeError, although its type has one.
   *
   * @defaultValue none
   */
  readonly unreadBodies?: readonly string[];
  /**
   * Whether to validate `request.body` if a parser of JSON or of forms has read the body before. The validator does not see there what the parser
   * drops, such as duplicate keys, and `bodyLimit` is the parser's. Of `multer`, it reads files in memory; of `@fastify/multipart`, attached fields.
   * For Express, Fastify and `node:http`; bodies of `Request` are not parsed in place.
   *
   * @defaultValue false: a body that was read before is an error
   */
  readonly acceptParsedBody?: boolean;
  /** Returns the text for an issue. Undefined keeps the default text. */
  readonly reason?: ReasonFormatter;
}

/** A valid request, and the input for its handler. */
export interface ValidatedRequest {
  readonly kind: "accepted";
  readonly operation: Operation;
  readonly input: InputGroups;
}

export type ValidationOutcome = { readonly kind: "pass" } | ErrorResponse | ValidatedRequest;

/** A request whose body is not validated yet. Read at most `limit` bytes of it, and call `validateBody`. */
export interface PendingBody {
  readonly kind: "pending";
  readonly limit: number;
  /** True if the operation accepts the body as a stream, so that it need not be buffered. */
  readonly isStream: boolean;
  /** True if the request declares its length, which is then within the limit. */
  readonly isDeclared: boolean;
  /** The length that the request declares. */
  readonly length: number | undefined;
  /** Validates the bytes of the body. */
  validateBody(bytes: Uint8Array): ValidationOutcome;
  /** Validates a body of JSON or of a form that another parser has read. Undefined for other media types. */
  validateValue(value: unknown): ValidationOutcome | undefined;
  /** The error response for a body that exceeds the limit. */
  rejectTooLarge(): ErrorResponse;
  /** Accepts a body that is passed on as a stream. */
  acceptStream(body: unknown): ValidationOutcome;
}

/** The outcome of a request whose body is not read yet. */
export type HeadOutcome = ValidationOutcome | PendingBody;

/** Resolves with the rejection of a request for an operation. */
export type OperationCheck = (operation: OperationDefinition) => Promise<ErrorResponse | undefined>;

export interface RequestValidator {
  /**
   * Validates the head of a request.
   *
   * @param check may reject a request before it is validated, such as for its credentials
   * @returns a promise only with a check
   */
  validate(head: RequestHead, check?: OperationCheck): HeadOutcome | Promise<HeadOutcome>;
  /** Finds the route of a request before validation. Undefined outside the base paths. */
  match(head: RequestHead): RouteMatch<RouteEntry> | undefined;
  /**
   * Validates a request with a known route.
   *
   * @param bodyLimit replaces the limit of the options, in bytes
   */
  validateMatched(found: MatchedRoute, head: RequestHead, bodyLimit?: number): HeadOutcome;
  /** The error response for an unknown path or method. */
  reject(found: Exclude<RouteMatch<RouteEntry>, MatchedRoute>): ErrorResponse;
}

export type MatchedRoute = Extract<RouteMatch<RouteEntry>, { readonly kind: "route" }>;

export const defaultBodyLimitBytes = 1_048_576;

/**
 * Creates the request validator that all adapters share. It knows operations and HTTP, but no framework.
 *
 * @throws TypeError for an unknown name in `operations`
 */
export function createRequestValidator(
  operations: Iterable<Operation>,
  options: ValidatorOptions = {},
): RequestValidator {
  const { basePath = "", operations: names, bodyLimit = defaultBodyLimitBytes } = options;
  const all = [...operations];
  requireOperations("operations", names, all);
  requireOperations("unreadBodies", options.unreadBodies, all);
  const chosen = names === undefined ? undefined : new Set(names);
  const routes = buildRoutes(all.map(toRouteEntry), basePath);
  const resolved: ResolvedOptions = {
    bodyLimit,
    unknown: options.unknown ?? "ignore",
    reason: options.reason,
    unreadBodies: new Set(options.unreadBodies),
    acceptParsedBody: options.acceptParsedBody === true,
    knownQuery: options.unknownQuery === "reject" ? new Set(options.queryCredentials) : undefined,
  };
  const { ignoreUndocumented = false, ignorePaths } = options;
  const find = ({ method, target }: RequestHead): RouteMatch<RouteEntry> | undefined => routes.find(method, target);
  const reject: RequestValidator["reject"] = (match) =>
    match.kind === "path"
      ? createErrorResponse(collectIssue({ code: "path" }, resolved))
      : notAllowed(match.allow, resolved);
  const routeOf = (head: RequestHead): MatchedRoute | ValidationOutcome => {
    if (ignorePaths !== undefined && isIgnored(head.target, ignorePaths)) return pass;
    const match = find(head);
    if (match === undefined) return pass;
    if (match.kind !== "route") return ignoreUndocumented ? pass : reject(match);
    return chosen === undefined || chosen.has(match.route.definition.name) ? match : pass;
  };
  return {
    validate: (head, check) => {
      const route = routeOf(head);
      if (route.kind !== "route") return route;
      const validateHead = (): HeadOutcome => validateRoute(route, head, resolved);
      return check?.(route.route.definition).then((rejection) => rejection ?? validateHead()) ?? validateHead();
    },
    match: find,
    reject,
    validateMatched: (match, head, limit = bodyLimit) =>
      validateRoute(match, head, limit === bodyLimit ? resolved : { ...resolved, bodyLimit: limit }),
  };
}

function requireOperations(
  option: "operations" | "unreadBodies",
  names: readonly string[] | undefined,
  all: readonly Operation[],
): void {
  const unknown = names?.find((name) => !all.some((each) => each.definition.name === name));
  if (unknown !== undefined) throw new TypeError(`Unknown operation "${unknown}" in option \`${option}\`.`);
}

function isIgnored(target: string, paths: NonNullable<ValidatorOptions["ignorePaths"]>): boolean {
  const [path = ""] = target.split("?");
  // `search` is independent of `lastIndex`, which a pattern with the flag `g` changes.
  return typeof paths === "function" ? paths(path) : path.search(paths) !== -1;
}

/** An operation with the names of its path parameters. */
export interface RouteEntry {
  readonly operation: Operation;
  readonly definition: OperationDefinition;
  readonly names: readonly string[];
}

const pass = { kind: "pass" } as const;

function toRouteEntry(operation: Operation): RouteEntry {
  const { definition } = operation;
  return { operation, definition, names: namesIn(definition.path) };
}

interface ResolvedOptions {
  readonly bodyLimit: number;
  readonly unknown: UnknownFieldPolicy;
  readonly reason: ReasonFormatter | undefined;
  readonly unreadBodies: ReadonlySet<string>;
  readonly acceptParsedBody: boolean;
  /** The query parameters of all operations. Undefined if unknown ones are ignored. */
  readonly knownQuery: ReadonlySet<string> | undefined;
}

/** Validates the parts of a request in order. Names the operation in each error response. */
function validateRoute(
  { route, values, query }: MatchedRoute,
  head: RequestHead,
  options: ResolvedOptions,
): HeadOutcome {
  const { operation, definition, names } = route;
  const collector = new IssueCollector(options.reason);
  const header = (name: string) => head.header(name);
  const readNames = options.knownQuery && new Set(options.knownQuery);
  const input = validateParameters(
    definition,
    (location, issues) => {
      if (location === "path") return pathParameters(names, values);
      if (location === "query") return recordReads(queryOf(query, issues), readNames);
      return location === "header" ? headerParameters(header) : cookieParameters(header("cookie"));
    },
    collector,
  );
  if (readNames !== undefined) addUnknownNames(query, readNames, collector);
  const state: ValidationState = { operation, collector, input, options };
  // An id that is not valid does not exist.
  if (collector.all.length > 0 && collector.all.some((issue) => issue.in === "path"))
    return rejectFor({ code: "path" }, state);
  const accept = definition.produces === undefined ? undefined : header("accept");
  if (definition.produces !== undefined && accept !== undefined && !isAcceptable(accept, definition.produces))
    return rejectFor({ code: "accept", first: definition.produces }, state);
  if (definition.body === undefined) return outcomeOf(state);
  if (options.unreadBodies.has(definition.name)) return acceptUnread(state, head);
  const isRequired = definition.body.required === true;
  if (head.length === 0 && !(isRequired && mayBeEmpty(chooseContent(state, head)))) return validateEmptyBody(state);
  return createPendingBody(state, head);
}

function addUnknownNames(query: string, known: ReadonlySet<string>, collector: IssueCollector): void {
  // Issues of the query itself were added with its first parameter.
  for (const name of queryOf(query, []).names())
    if (!known.has(name)) collector.add([{ path: [], code: "unknown", first: "parameter" }], "query", name);
}

interface ValidationState {
  readonly operation: Operation;
  readonly collector: IssueCollector;
  readonly input: InputGroups;
  readonly options: ResolvedOptions;
}

function outcomeOf({ operation, collector, input }: ValidationState): ValidationOutcome {
  return collector.all.length === 0 ? { kind: "accepted", operation, input } : errorResponseOf(collector, operation);
}

/** The error response for an issue of the request itself. */
function rejectFor(issue: RequestIssue, { operation, options }: ValidationState): ErrorResponse {
  return errorResponseOf(collectIssue(issue, options), operation);
}

function errorResponseOf(collector: IssueCollector, { definition }: Operation): ErrorResponse {
  return { ...createErrorResponse(collector), operation: definition.name };
}

/** Checks what the head says of a body that others read. They may decompress it. */
function acceptUnread(state: ValidationState, head: RequestHead): ValidationOutcome {
  const { name } = state.operation.definition;
  if (head.length === 0) return validateEmptyBody(state);
  const chosen = chooseByType(state, head);
  if (isErrorResponse(chosen)) return chosen;
  const get = (): never => {
    throw new TypeError(
      `The body of ${name} is not in its input: \`unreadBodies\` leaves it to the middleware that reads it.`,
    );
  };
  // Not enumerable, so that an input can be copied and printed.
  Object.defineProperty(state.input, "body", { get, enumerable: false });
  return outcomeOf(state);
}

function validateEmptyBody(state: ValidationState): ValidationOutcome {
  const { operation, collector } = state;
  if (operation.definition.body?.required === true) collector.add([{ path: [], code: "required" }], "body");
  return outcomeOf(state);
}

/** Checks a declared body before it is read. A body without a declared length may turn out to be empty. */
function createPendingBody(state: ValidationState, head: RequestHead): HeadOutcome {
  const { length } = head;
  const { bodyLimit: limit, acceptParsedBody } = state.options;
  // The limit of another parser may be higher. An adapter that reads the bytes itself stops at this one.
  if (!acceptParsedBody && length !== undefined && length > limit) return tooLargeResponse(state);
  const isRequired = state.operation.definition.body?.required === true;
  const chosen = chooseContent(state, head);
  if (length !== undefined && isErrorResponse(chosen)) return chosen;
  return {
    kind: "pending",
    limit,
    isStream: !isErrorResponse(chosen) && chosen.content.decode === binaryBody,
    isDeclared: length !== undefined,
    length,
    validateBody: (bytes) => {
      if (bytes.length === 0 && !(isRequired && mayBeEmpty(chosen))) return validateEmptyBody(state);
      return isErrorResponse(chosen) ? chosen : validateBytes(bytes, chosen, state);
    },
    validateValue: (value) => {
      if (isErrorResponse(chosen)) return chosen;
      const { content } = chosen;
      const issues: Issues = [];
      const decoded = value instanceof Uint8Array ? undefined : (content.decode ?? jsonBody).parsed?.(value, issues);
      return decoded === undefined && issues.length === 0
        ? undefined
        : validateDecoded(decoded, { content, issues, state });
    },
    rejectTooLarge: () => tooLargeResponse(state),
    acceptStream: (body) => {
      if (isErrorResponse(chosen)) return chosen;
      state.input["body"] = body;
      return outcomeOf(state);
    },
  };
}

function isErrorResponse(chosen: ChosenContent | ErrorResponse): chosen is ErrorResponse {
  return chosen.kind === "error";
}

/** No bytes are a form without fields, or an empty text. */
function mayBeEmpty(chosen: ChosenContent | ErrorResponse): boolean {
  return !isErrorResponse(chosen) && /^(application\/x-www-form-urlencoded$|text\/(?!json))/.test(chosen.type.essence);
}

function tooLargeResponse(state: ValidationState): ErrorResponse {
  return rejectFor({ code: "size", first: state.options.bodyLimit }, state);
}

interface ChosenContent {
  readonly kind: "chosen";
  readonly content: ContentDefinition;
  readonly type: MediaType;
}

function chooseContent(state: ValidationState, head: RequestHead): ChosenContent | ErrorResponse {
  const encoding = head.header("content-encoding");
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity")
    return rejectFor({ code: "encoding" }, state);
  return chooseByType(state, head);
}

function chooseByType(state: ValidationState, head: RequestHead): ChosenContent | ErrorResponse {
  const contents = state.operation.definition.body?.contents ?? {};
  const type = parseMediaType(head.header("content-type") ?? "");
  const content = type === undefined ? undefined : contentFor(contents, type);
  return type === undefined || content === undefined
    ? rejectFor({ code: "media", first: Object.keys(contents) }, state)
    : { kind: "chosen", content, type };
}

function validateBytes(bytes: Uint8Array, { content, type }: ChosenContent, state: ValidationState): ValidationOutcome {
  const issues: Issues = [];
  const value = (content.decode ?? jsonBody)(bytes, type, issues);
  return validateDecoded(value, { content, issues, state });
}

interface DecodedBody {
  readonly content: ContentDefinition;
  readonly issues: Issues;
  readonly state: ValidationState;
}

function validateDecoded(value: unknown, { content, issues, state }: DecodedBody): ValidationOutcome {
  const { collector, input, options } = state;
  if (issues.length === 0) {
    input["body"] = validateContent(value, content, { unknown: options.unknown, issues });
  }
  // Those of the body itself, not of a part: its charset, or its size.
  const ofBody = issues.find(({ code, path }) => (code === "media" || code === "size") && path.length === 0);
  if (ofBody !== undefined) return rejectFor(ofBody, state);
  if (issues.length > 0) collector.add(issues, "body");
  return outcomeOf(state);
}

function notAllowed(allow: readonly string[], options: ResolvedOptions): ErrorResponse {
  const errorResponse = createErrorResponse(collectIssue({ code: "method", first: allow }, options));
  return { ...errorResponse, headers: { ...errorResponse.headers, allow: allow.join(", ") } };
}

type RequestIssue = Pick<Issues[number], "code" | "first">;

function collectIssue({ code, first }: RequestIssue, { reason }: ResolvedOptions): IssueCollector {
  const collector = new IssueCollector(reason);
  collector.add([{ path: [], code, first }], "request");
  return collector;
}
