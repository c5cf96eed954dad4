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

/** How scopes are written, and what they imply. */
export interface ScopeGrammar {
  readonly scheme: string;
  readonly areas: readonly string[];
  /** Each level, and the levels that it implies. */
  readonly levels: Readonly<Record<string, readonly string[]>>;
  /** The scope that is all of them. */
  readonly all: string;
  readonly separator: string;
  /** The failures of a request without a token, with a bad one, and with one that lacks a scope. */
  readonly errors: { readonly missing: string; readonly invalid: string; readonly scope: string };
}

/** Every scheme of it is needed, with every scope of each. Without any, anonymous callers are admitted. */
export type Alternative = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

/** The user name and password of HTTP's basic scheme. */
export interface Basic {
  readonly username: string;
  readonly password: string;
}

/** Whose a credential is, and until when it admits. */
export interface Credential<C extends Caller = Caller> {
  readonly caller: C;
  /** From then on it admits nobody. Absent or null: never. A text is an ISO 8601 date and time, in UTC when it names no zone. */
  readonly expiry?: Date | string | null | undefined;
}

/** What is known of a request when its caller is asked for. */
export interface Asking<Context extends Call = Call> {
  readonly operation: string;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly address: string | undefined;
  /** The handler's, when an operation that may change something asks again, in its transaction; undefined the first time. */
  readonly context?: Context | undefined;
  header(name: string): string | undefined;
}

/** Finds whose a credential is; undefined for one that is unknown or revoked. Rejects when it cannot be told now. */
export type Authenticate<Sent = string, C extends Caller = Caller, Context extends Call = Call> = (
  credential: Sent,
  asking: Asking<Context>,
) => Credential<C> | undefined | Promise<Credential<C> | undefined>;

export type Admitted =
  | { readonly kind: "admitted"; readonly caller: Caller | undefined; readonly admission: Admission }
  | { readonly kind: "missing" | "invalid" | "scope"; readonly caller?: Caller };

/** What admits callers to an operation. */
export interface Gate {
  readonly alternatives: readonly Alternative[];
  /** The schemes that are looked for, also where none is needed: a credential that is sent is judged. */
  readonly schemes: readonly string[];
  readonly wanted: readonly string[];
}

export interface Gatekeeper {
  readonly schemes: Readonly<Record<string, Scheme>>;
  readonly grammar: ScopeGrammar | undefined;
  readonly authenticate: Readonly<Record<string, Authenticate<never>>>;
}

/** What is asked of the callers of an operation; none is needed where there are no alternatives. */
export function gateOf(alternatives: readonly Alternative[], grammar: ScopeGrammar | undefined): Gate {
  const named = alternatives.flatMap((each) => each.map(({ scheme }) => scheme));
  const schemes = [...new Set(grammar === undefined ? named : [grammar.scheme, ...named])];
  const wanted = (alternatives.find((each) => each.length > 0) ?? []).flatMap(({ scopes }) => scopes);
  return { alternatives, schemes, wanted };
}

/** Judges whatever credentials were sent, and then whether they are enough. */
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
    // A connection without a certificate shows nothing, and what is unknown of one says no more than that.
    else if (keeper.schemes[scheme]?.kind !== "mutualTLS") unknown.push(scheme);
  }
  if (isOther && found.size === 0) return { kind: "invalid" };
  if (unknown.length > 0 && !areElsewhereKnown(unknown, [...found.keys()], keeper)) return { kind: "invalid" };
  return chosen(gate, keeper, found);
}

/** Several schemes may look in one place; what is sent there is good when one of them knows it. */
function areElsewhereKnown(unknown: readonly string[], known: readonly string[], { schemes }: Gatekeeper): boolean {
  const places = new Set(known.map((each) => placeOf(schemes[each])));
  return unknown.every((each) => places.has(placeOf(schemes[each])));
}

/** Of the alternatives, the first that everything was sent for; anonymous callers are those who sent nothing. */
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
  // Sent for another scheme than is wanted, as a token where any alternative is anonymous.
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
  if (authenticate === undefined) throw new TypeError(`authenticate: there is nothing for the scheme ${scheme}`);
  const credential = authenticate(sent as never, asking);
  return isPending(credential) ? credential.then((each) => currentOf(each, asking)) : currentOf(credential, asking);
}

function currentOf(credential: Credential | null | undefined, { now }: Asking): Caller | undefined {
  // What looks up a row often gives null for none.
  if (credential === undefined || credential === null) return undefined;
  const { expiry, caller } = credential;
  if (expiry === undefined || expiry === null) return caller;
  const until = expiry instanceof Date ? expiry.getTime() : Date.parse(withZone(expiry));
  // What is no date admits nobody, rather than everybody for ever.
  return now < until ? caller : undefined;
}
