import {
  malformedCredential,
  otherScheme,
  credentialLocation,
  readCredential,
  type SecurityRequirement,
  type SecurityScheme,
} from "../../http/index.js";
import { isPromiseLike, type Awaitable } from "../handlers.js";
import type { HttpRequest } from "../http/http-request.js";
import { andThen, firstInTurn } from "../request/in-turn.js";
import type { AuthInfo, RequestContext, Caller } from "../request/request-context.js";
import { withUtcZone } from "../utc-zone.js";
import { includesScopes } from "./scope-sets.js";
import type { ScopeGrammar, SecurityPolicy } from "./security.js";

/** The caller that a credential authenticates, and when it expires. */
export interface AuthenticatedCaller<C extends Caller = Caller> {
  readonly caller: C;
  /** The time from which the credential is invalid. Null or absent: it does not expire. A text is an ISO 8601 date-time, in UTC if it has no zone. */
  readonly expiresAt?: Date | string | null | undefined;
}

/** The request that a credential came with. */
export interface AuthenticationRequest<Context extends RequestContext = RequestContext> {
  readonly operation: string;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly address: string | undefined;
  /** The handler's context, at the second call within the transaction of an operation that may change data. Undefined at the first call. */
  readonly context?: Context | undefined;
  header(name: string): string | undefined;
}

/** Authenticates a credential. Returns undefined for one that is unknown or revoked. Throw `UnavailableError` if this cannot be determined now. */
export type Authenticate<Sent = string, C extends Caller = Caller, Context extends RequestContext = RequestContext> = (
  credential: Sent,
  request: AuthenticationRequest<Context>,
) => AuthenticatedCaller<C> | undefined | Promise<AuthenticatedCaller<C> | undefined>;

export type AuthenticationResult =
  | { readonly kind: "authenticated"; readonly caller: Caller | undefined; readonly auth: AuthInfo }
  | { readonly kind: "missing" | "invalid" | "scope"; readonly caller?: Caller };

export interface Authenticator {
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  readonly grammar: ScopeGrammar | undefined;
  readonly authenticate: Readonly<Record<string, Authenticate<never>>>;
}

/** Authenticates all credentials of a request, then checks whether they satisfy the operation. */
export function authenticateRequest(
  policy: SecurityPolicy,
  authenticator: Authenticator,
  attempt: { readonly received: HttpRequest; readonly request: AuthenticationRequest },
): Awaitable<AuthenticationResult> {
  const callers = new Map<string, Caller>();
  const unknown: string[] = [];
  let isOther = false;
  const authenticateScheme = (scheme: string): Awaitable<undefined> => {
    const sent = readCredential(authenticator.schemes[scheme], attempt.received);
    if (sent === otherScheme) isOther = true;
    if (sent === undefined || sent === otherScheme) return undefined;
    const keep = (caller: Caller | undefined): undefined => {
      if (caller !== undefined) callers.set(scheme, caller);
      // A connection may have no client certificate, and an unknown certificate counts as none.
      else if (authenticator.schemes[scheme]?.kind !== "mutualTLS") unknown.push(scheme);
    };
    if (sent === malformedCredential) return keep(undefined);
    return andThen(authenticateCredential(scheme, sent, { authenticator, request: attempt.request }), keep);
  };
  return andThen(firstInTurn(policy.schemes, authenticateScheme), () => {
    if (isOther && callers.size === 0) return { kind: "invalid" };
    if (unknown.length > 0 && !areKnownByOthers(unknown, [...callers.keys()], authenticator))
      return { kind: "invalid" };
    return chooseRequirement(policy, authenticator, callers);
  });
}

/** Several schemes may have the same location. A credential is valid if one of them accepts it. */
function areKnownByOthers(unknown: readonly string[], valid: readonly string[], { schemes }: Authenticator): boolean {
  const locations = new Set(valid.map((each) => credentialLocation(schemes[each])));
  return unknown.every((each) => locations.has(credentialLocation(schemes[each])));
}

/** The first security requirement that the credentials satisfy. Callers without credentials are anonymous. */
function chooseRequirement(
  { requirements }: SecurityPolicy,
  { grammar }: Authenticator,
  callers: ReadonlyMap<string, Caller>,
): AuthenticationResult {
  const [first] = callers.values();
  if (requirements.length === 0) return { kind: "authenticated", caller: first, auth: { requiredScopes: [] } };
  let isPresent = false;
  for (const each of requirements) {
    if (each.length === 0 ? callers.size > 0 : !each.every(({ scheme }) => callers.has(scheme))) continue;
    isPresent = true;
    if (each.every(({ scheme, scopes }) => includesScopes(callers.get(scheme)?.scopes ?? "", scopes, grammar)))
      return authenticatedBy(each, callers);
  }
  if (isPresent) return first === undefined ? { kind: "scope" } : { kind: "scope", caller: first };
  // The credential is for a scheme that the operation does not require, such as a token for an operation that allows anonymous callers.
  const isOpen = requirements.some((each) => each.length === 0);
  return isOpen ? { kind: "authenticated", caller: first, auth: { requiredScopes: [] } } : { kind: "missing" };
}

function authenticatedBy(requirement: SecurityRequirement, callers: ReadonlyMap<string, Caller>): AuthenticationResult {
  const [by] = requirement;
  if (by === undefined) return { kind: "authenticated", caller: undefined, auth: { requiredScopes: [] } };
  const requiredScopes = requirement.length === 1 ? by.scopes : requirement.flatMap(({ scopes }) => scopes);
  return { kind: "authenticated", caller: callers.get(by.scheme), auth: { scheme: by.scheme, requiredScopes } };
}

function authenticateCredential(
  scheme: string,
  sent: unknown,
  { authenticator, request }: { readonly authenticator: Authenticator; readonly request: AuthenticationRequest },
): Awaitable<Caller | undefined> {
  const authenticate = authenticator.authenticate[scheme];
  if (authenticate === undefined)
    throw new TypeError(
      `Missing option \`authenticate.${scheme}\`. Provide a function that authenticates credentials of this scheme.`,
    );
  const credential = authenticate(sent as never, request);
  return isPromiseLike(credential)
    ? credential.then((each) => unexpiredCaller(each, request))
    : unexpiredCaller(credential, request);
}

function unexpiredCaller(
  credential: AuthenticatedCaller | null | undefined,
  { now }: AuthenticationRequest,
): Caller | undefined {
  // Database clients often return null for no row.
  if (credential === undefined || credential === null) return undefined;
  const { expiresAt, caller } = credential;
  if (expiresAt === undefined || expiresAt === null) return caller;
  const until = expiresAt instanceof Date ? expiresAt.getTime() : Date.parse(withUtcZone(expiresAt));
  // A date that is not valid must reject the credential instead of never expiring.
  return now < until ? caller : undefined;
}
