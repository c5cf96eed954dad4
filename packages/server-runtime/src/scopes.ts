import type { Admission, Call, Caller } from "./call.js";
import { malformed, other, placeOf, sentFor } from "./credentials.js";
import { withZone } from "./date-times.js";
import { isPending, type Awaitable } from "./handlers.js";
import { covers } from "./held-scopes.js";
import type { Received } from "./received.js";

/** A security scheme of the description. */
export type Scheme =
  | { readonly kind: "bearer" | "basic" | "oauth2" | "openIdConnect" | "mutualTLS" }
  | { readonly kind: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly key: string }
  | { readonly kind: "http"; readonly scheme: string };

/** The syntax of scopes, and what they imply. */
export interface ScopeGrammar {
  readonly scheme: string;
  readonly areas: readonly string[];
  /** Each level with the levels that it implies. */
  readonly levels: Readonly<Record<string, readonly string[]>>;
  /** The scope that implies all others. */
  readonly all: string;
  readonly separator: string;
  /** The ids of the errors for a missing token, an invalid one, and one without a required scope. */
  readonly errors: { readonly missing: string; readonly invalid: string; readonly scope: string };
}

/** A security requirement: all of its schemes are required, with all their scopes. An empty one allows anonymous callers. */
export type Alternative = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

/** The user name and password of HTTP's basic scheme. */
export interface Basic {
  readonly username: string;
  readonly password: string;
}

/** The caller that a credential authenticates, and its expiry. */
export interface Credential<C extends Caller = Caller> {
  readonly caller: C;
  /** The time from which the credential is invalid. Null or absent: it does not expire. A text is an ISO 8601 date-time, in UTC if it has no zone. */
  readonly expiry?: Date | string | null | undefined;
}

/** The request that a credential came with. */
export interface Asking<Context extends Call = Call> {
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
export type Authenticate<Sent = string, C extends Caller = Caller, Context extends Call = Call> = (
  credential: Sent,
  asking: Asking<Context>,
) => Credential<C> | undefined | Promise<Credential<C> | undefined>;

export type Admitted =
  | { readonly kind: "admitted"; readonly caller: Caller | undefined; readonly admission: Admission }
  | { readonly kind: "missing" | "invalid" | "scope"; readonly caller?: Caller };

/** The security requirements of an operation. */
export interface Gate {
  readonly alternatives: readonly Alternative[];
  /** The schemes that the server checks, also if the operation requires none: a sent credential has to be valid. */
  readonly schemes: readonly string[];
  readonly wanted: readonly string[];
}

export interface Gatekeeper {
  readonly schemes: Readonly<Record<string, Scheme>>;
  readonly grammar: ScopeGrammar | undefined;
  readonly authenticate: Readonly<Record<string, Authenticate<never>>>;
}

/** Compiles the security requirements of an operation. Without requirements, no credential is needed. */
export function gateOf(alternatives: readonly Alternative[], grammar: ScopeGrammar | undefined): Gate {
  const named = alternatives.flatMap((each) => each.map(({ scheme }) => scheme));
  const schemes = [...new Set(grammar === undefined ? named : [grammar.scheme, ...named])];
  const wanted = (alternatives.find((each) => each.length > 0) ?? []).flatMap(({ scopes }) => scopes);
  return { alternatives, schemes, wanted };
}

/** Authenticates all credentials of a request, then checks whether they satisfy the operation. */
export async function admit(
  gate: Gate,
  keeper: Gatekeeper,
  given: { readonly received: Received; readonly asking: Asking },
): Promise<Admitted> {
  const found = new Map<string, Caller>();
  const unknown: string[] = [];
  let isOther = false;
  for (const scheme of gate.schemes) {
    const sent = sentFor(keeper.schemes[scheme], given.received);
    if (sent === other) isOther = true;
    if (sent === undefined || sent === other) continue;
    const asked = sent === malformed ? undefined : callerOf(scheme, sent, { keeper, asking: given.asking });
    const caller = isPending(asked) ? await asked : asked;
    if (caller !== undefined) found.set(scheme, caller);
    // A connection may have no client certificate, and an unknown certificate counts as none.
    else if (keeper.schemes[scheme]?.kind !== "mutualTLS") unknown.push(scheme);
  }
  if (isOther && found.size === 0) return { kind: "invalid" };
  if (unknown.length > 0 && !areElsewhereKnown(unknown, [...found.keys()], keeper)) return { kind: "invalid" };
  return chosen(gate, keeper, found);
}

/** Several schemes may have the same location. A credential is valid if one of them accepts it. */
function areElsewhereKnown(unknown: readonly string[], known: readonly string[], { schemes }: Gatekeeper): boolean {
  const places = new Set(known.map((each) => placeOf(schemes[each])));
  return unknown.every((each) => places.has(placeOf(schemes[each])));
}

/** The first security requirement that the credentials satisfy. Callers without credentials are anonymous. */
function chosen({ alternatives }: Gate, { grammar }: Gatekeeper, found: ReadonlyMap<string, Caller>): Admitted {
  const [first] = found.values();
  if (alternatives.length === 0) return { kind: "admitted", caller: first, admission: { wanted: [] } };
  let isPresent = false;
  for (const each of alternatives) {
    if (each.length === 0 ? found.size > 0 : !each.every(({ scheme }) => found.has(scheme))) continue;
    isPresent = true;
    if (each.every(({ scheme, scopes }) => covers(found.get(scheme)?.scopes ?? "", scopes, grammar)))
      return admittedBy(each, found);
  }
  if (isPresent) return first === undefined ? { kind: "scope" } : { kind: "scope", caller: first };
  // The credential is for a scheme that the operation does not require, such as a token for an operation that allows anonymous callers.
  const isOpen = alternatives.some((each) => each.length === 0);
  return isOpen ? { kind: "admitted", caller: first, admission: { wanted: [] } } : { kind: "missing" };
}

function admittedBy(alternative: Alternative, found: ReadonlyMap<string, Caller>): Admitted {
  const [by] = alternative;
  if (by === undefined) return { kind: "admitted", caller: undefined, admission: { wanted: [] } };
  const wanted = alternative.length === 1 ? by.scopes : alternative.flatMap(({ scopes }) => scopes);
  return { kind: "admitted", caller: found.get(by.scheme), admission: { scheme: by.scheme, wanted } };
}

function callerOf(
  scheme: string,
  sent: unknown,
  { keeper, asking }: { readonly keeper: Gatekeeper; readonly asking: Asking },
): Awaitable<Caller | undefined> {
  const authenticate = keeper.authenticate[scheme];
  if (authenticate === undefined)
    throw new TypeError(
      `Missing option \`authenticate.${scheme}\`. Provide a function that authenticates credentials of this scheme.`,
    );
  const credential = authenticate(sent as never, asking);
  return isPending(credential) ? credential.then((each) => currentOf(each, asking)) : currentOf(credential, asking);
}

function currentOf(credential: Credential | null | undefined, { now }: Asking): Caller | undefined {
  // Database clients often return null for no row.
  if (credential === undefined || credential === null) return undefined;
  const { expiry, caller } = credential;
  if (expiry === undefined || expiry === null) return caller;
  const until = expiry instanceof Date ? expiry.getTime() : Date.parse(withZone(expiry));
  // A date that is not valid must reject the credential instead of never expiring.
  return now < until ? caller : undefined;
}
