import { readQuery, sentInCookies } from "@plumbline/validator-runtime/serving";
import type { Admission, Caller } from "./call.js";
import { isPending, type Awaitable } from "./handlers.js";
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
  /** From then on it admits nobody. Absent or null: never. A text is an ISO 8601 date and time. */
  readonly expiry?: Date | string | null | undefined;
}

/** What is known of a request when its caller is asked for. */
export interface Asking {
  readonly operation: string;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly address: string | undefined;
  header(name: string): string | undefined;
}

/** Finds whose a credential is; undefined for one that is unknown or revoked. Rejects when it cannot be told now. */
export type Authenticate<Sent = string, C extends Caller = Caller> = (
  credential: Sent,
  asking: Asking,
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
  let isOther = false;
  for (const scheme of gate.schemes) {
    const sent = sentFor(keeper.schemes[scheme], given.received);
    if (sent === other) isOther = true;
    if (sent === undefined || sent === other) continue;
    const asked = sent === malformed ? undefined : callerOf(scheme, sent, { keeper, asking: given.asking });
    const caller = isPending(asked) ? await asked : asked;
    // A connection without a certificate shows nothing, and what is unknown of one says no more than that.
    if (caller === undefined && keeper.schemes[scheme]?.kind === "mutualTLS") continue;
    if (caller === undefined) return { kind: "invalid" };
    found.set(scheme, caller);
  }
  return isOther && found.size === 0 ? { kind: "invalid" } : chosen(gate, keeper, found);
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

function currentOf(credential: Credential | undefined, { now }: Asking): Caller | undefined {
  if (credential === undefined) return undefined;
  const { expiry, caller } = credential;
  if (expiry === undefined || expiry === null) return caller;
  const until = expiry instanceof Date ? expiry.getTime() : Date.parse(expiry);
  // What is no date admits nobody, rather than everybody for ever.
  return now < until ? caller : undefined;
}

const malformed = Symbol("malformed");

/** An Authorization header of another scheme, which may be among those that are wanted. */
const other = Symbol("other");

function sentFor(scheme: Scheme | undefined, received: Received): unknown {
  switch (scheme?.kind) {
    case undefined:
      return undefined;
    case "bearer":
    case "oauth2":
    case "openIdConnect":
      return authorization("bearer", received);
    case "basic": {
      const text = authorization("basic", received);
      return typeof text === "string" ? basicOf(text) : text;
    }
    case "http":
      return authorization(scheme.scheme, received);
    case "mutualTLS":
      return received;
    case "apiKey":
      return keyOf(scheme, received);
  }
}

/** What follows the name of the scheme. */
function authorization(scheme: string, received: Received): string | typeof malformed | typeof other | undefined {
  const header = received.header("authorization");
  if (header === undefined || header === "") return undefined;
  const space = header.indexOf(" ");
  const name = space === -1 ? header : header.slice(0, space);
  const sent = space === -1 ? "" : header.slice(space + 1).trim();
  if (name.toLowerCase() !== scheme) return other;
  return /^[!-~]+$/.test(sent) ? sent : malformed;
}

function basicOf(text: string): Basic | typeof malformed {
  try {
    const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    const plain = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const colon = plain.indexOf(":");
    return colon === -1 ? malformed : { username: plain.slice(0, colon), password: plain.slice(colon + 1) };
  } catch {
    return malformed;
  }
}

function keyOf(
  { in: place, key }: Extract<Scheme, { kind: "apiKey" }>,
  received: Received,
): string | typeof malformed | undefined {
  if (place === "header") return received.header(key.toLowerCase());
  const question = received.target.indexOf("?");
  const sent =
    place === "cookie"
      ? sentInCookies(received.header("cookie"))
      : readQuery(question === -1 ? "" : received.target.slice(question + 1), []);
  const given = sent.get(key);
  if (given === undefined) return undefined;
  return typeof given === "string" ? (sent.decode(given) ?? malformed) : malformed;
}

/** Whether scopes as a token has them include every one that is wanted. */
export function covers(scopes: string, wanted: readonly string[], grammar: ScopeGrammar | undefined): boolean {
  if (wanted.length === 0) return true;
  const held = heldIn(scopes, grammar);
  return held === everything || wanted.every((each) => held.has(each));
}

/** Whether scopes are no more than others. */
export function isWithin(scopes: string, ceiling: string, grammar: ScopeGrammar): boolean {
  const held = heldIn(ceiling, grammar);
  if (held === everything) return true;
  return scopes.split(grammar.separator).every((each) => held.has(each.trim()));
}

const everything: ReadonlySet<string> = new Set(["*"]);

// A token is used many times, and there are few different ones in use at once.
const known = new WeakMap<object, Map<string, ReadonlySet<string>>>();
const mostKnown = 1_000;
const withoutGrammar = {};

/** Scopes with all that they imply. */
function heldIn(scopes: string, grammar: ScopeGrammar | undefined): ReadonlySet<string> {
  const owner = grammar ?? withoutGrammar;
  let cache = known.get(owner);
  if (cache === undefined) known.set(owner, (cache = new Map()));
  const cached = cache.get(scopes);
  if (cached !== undefined) return cached;
  const held = spelled(scopes, grammar);
  if (cache.size >= mostKnown) cache.clear();
  cache.set(scopes, held);
  return held;
}

/** A token may name levels that every object inherits. */
function impliedBy(level: string, { levels }: ScopeGrammar): readonly string[] {
  return Object.hasOwn(levels, level) ? (levels[level] ?? []) : [];
}

function spelled(scopes: string, grammar: ScopeGrammar | undefined): ReadonlySet<string> {
  const given = scopes
    .split(grammar?.separator ?? /[ ,]/)
    .map((each) => each.trim())
    .filter((each) => each !== "");
  if (grammar === undefined) return new Set(given);
  if (given.includes(grammar.all)) return everything;
  const held = new Set<string>();
  const add = (area: string, level: string): void => {
    if (held.has(`${area}:${level}`)) return;
    held.add(`${area}:${level}`);
    for (const implied of impliedBy(level, grammar)) add(area, implied);
  };
  for (const each of given) {
    const colon = each.indexOf(":");
    if (colon !== -1) add(each.slice(0, colon), each.slice(colon + 1));
  }
  return held;
}
