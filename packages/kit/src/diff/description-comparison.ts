import type { Api, Schema, SentRequest, SourceRef } from "../model/index.js";
import { differenceRules, type DifferenceCode } from "./difference-rules.js";
import type { Difference, DescriptionSide } from "./difference.js";
import { toLine, shorten, shortenBoth } from "./shorten.js";

/** Requests and responses: the same change may break one and not the other. */
export type Direction = "request" | "response";

/** The position of a comparison. */
export interface ComparisonContext {
  readonly comparison: DescriptionComparison;
  readonly direction: Direction;
  /** As in `Where.place`, without the direction of a named schema. */
  readonly location: string;
  /** The same in a sentence, such as `the request body`; equal to `place` for named schemas and the API. */
  readonly subject: string;
  readonly pointer: string;
  /** A part of the value that has no name, in words, and its pointer. Absent: each step of the pointer has a name. */
  readonly part?: { readonly words: string; readonly pointer: string } | undefined;
  readonly carrier: Carrier;
}

/** The facts of one difference. Its position is in the new description, or for a removed node in the old one. */
export interface DifferenceFacts {
  /** The subject of the rule. Default: the value at the pointer. */
  readonly subject?: string;
  readonly old?: unknown;
  readonly new?: unknown;
  readonly newOrigin?: SourceRef;
  readonly oldOrigin?: SourceRef;
  /** The new name of a removed node, where exactly one added node has the same content. */
  readonly renamedTo?: string | undefined;
  /** Whether several operations share the difference: it is reported once, with their number. */
  readonly isShared?: boolean;
}

/** An operation, or a pair of named schemas that is compared once for all references to it. */
export interface Carrier {
  /** Such as `POST /pets`; absent for schemas and for the API. */
  readonly operation?: string;
  readonly users: Set<Carrier>;
}

interface FoundDifference {
  /** Formats the message for several operations. */
  readonly shared: ((operations: number) => string) | undefined;
  readonly difference: Omit<Difference, "where"> & { readonly where: Omit<Difference["where"], "operations"> };
  readonly carriers: Set<Carrier>;
}

/** The two descriptions of a comparison, and the differences found so far. */
export class DescriptionComparison {
  readonly old: Api;
  readonly next: Api;
  /** New names of schemas by their old names, where neither name is in the other description. */
  readonly renamedSchemas: Map<string, string> = new Map();
  /** New names of operations by their old names, where method and path are unchanged. */
  readonly renamedOperations: Map<string, string> = new Map();
  /** Names of schemas that were compared because something refers to them. */
  readonly usedSchemas: Record<DescriptionSide, Set<string>> = { old: new Set(), new: new Set() };
  readonly #schemas: Record<DescriptionSide, ReadonlyMap<string, Schema>>;
  readonly #forms: Record<DescriptionSide, ReadonlyMap<string, string>>;
  readonly #pairs = new Map<Schema, Map<Schema, Partial<Record<Direction, Carrier>>>>();
  readonly #pending: (() => void)[] = [];
  readonly #found = new Map<string, FoundDifference>();

  constructor(old: Api, next: Api) {
    this.old = old;
    this.next = next;
    const byName = ({ schemas }: Api) => new Map(schemas.map(({ name, schema }) => [name, schema] as const));
    this.#schemas = { old: byName(old), new: byName(next) };
    const bases = ({ schemas }: Api) =>
      new Map(
        schemas.flatMap(({ name, variantOf }) => (variantOf === undefined ? [] : [[name, variantOf.name] as const])),
      );
    this.#forms = { old: bases(old), new: bases(next) };
  }

  /** Returns the schema of this name, and marks it as used. */
  schema(side: DescriptionSide, name: string): Schema | undefined {
    this.usedSchemas[side].add(name);
    return this.#schemas[side].get(name);
  }

  /** Returns the schema of this name without marking it as used. */
  peek(side: DescriptionSide, name: string): Schema | undefined {
    return this.#schemas[side].get(name);
  }

  has(side: DescriptionSide, name: string): boolean {
    return this.#schemas[side].has(name);
  }

  /** The schema that a variant is derived from; the name itself for any other schema. */
  baseOf(side: DescriptionSide, name: string): string {
    return this.#forms[side].get(name) ?? name;
  }

  /** The current name of an operation of the old description. A renamed operation is one difference; references to it are none. */
  currentOperationName(operation: string): string {
    return this.renamedOperations.get(operation) ?? operation;
  }

  /** Records that a schema was renamed, unless both names exist in both descriptions. */
  rename(old: string, next: string): void {
    if (!this.has("new", old) && !this.has("old", next)) this.renamedSchemas.set(old, next);
  }

  /** Registers a pair of schemas. Undefined when the pair is registered already; then only its users grow. */
  pair(old: Schema, next: Schema, { direction, carrier }: ComparisonContext): Carrier | undefined {
    const beside = this.#pairs.get(old) ?? new Map<Schema, Partial<Record<Direction, Carrier>>>();
    this.#pairs.set(old, beside);
    const carriers = beside.get(next) ?? {};
    const newCarrier = carriers[direction] === undefined ? { users: new Set<Carrier>() } : undefined;
    if (newCarrier !== undefined) beside.set(next, { ...carriers, [direction]: newCarrier });
    (newCarrier ?? carriers[direction])?.users.add(carrier);
    return newCarrier;
  }

  /** Defers a comparison: hundreds of schemas that refer to each other would nest too deep. */
  defer(compare: () => void): void {
    this.#pending.push(compare);
  }

  /** Runs the deferred comparisons, including those that they defer. */
  runDeferred(): void {
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) next();
  }

  report(code: DifferenceCode, at: ComparisonContext, facts: DifferenceFacts): void {
    const rule = differenceRules[code];
    const side = facts.newOrigin === undefined ? "old" : "new";
    const origin = facts.newOrigin ?? facts.oldOrigin ?? this.old.origin;
    const values = shortenValues(facts);
    const words: Readonly<Record<string, string>> = {
      old: "none",
      new: "none",
      ...values,
      what: facts.subject ?? describeValue(at),
    };
    const sentenceOf = (what?: string): string => {
      const sentence = rule.message.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => (name === "what" && what) || (words[name] ?? ""),
      );
      const hint = facts.renamedTo === undefined ? "" : ` It may have been renamed to "${facts.renamedTo}".`;
      return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${hint}`;
    };
    // Without a direction in the code, requests and responses report the same difference.
    const whole = [facts.old, facts.new].map((value) => (value === undefined ? "none" : toLine(value)));
    const where = facts.isShared === true ? [] : [origin.file, origin.pointer, words["what"]];
    const key = [code, side, ...where, ...whole].join("\n");
    const sameDifference = this.#found.get(key);
    sameDifference?.carriers.add(at.carrier);
    if (sameDifference !== undefined) return;
    const isDirected = at.location === at.subject && /^(request|response)-/.test(code);
    const place = isDirected
      ? `${at.location} in ${at.direction === "request" ? "requests" : "responses"}`
      : at.location;
    this.#found.set(key, {
      shared: facts.isShared === true ? (operations) => sentenceOf(`each of ${operations} operations`) : undefined,
      difference: {
        code,
        breaking: rule.breaks,
        affects: rule.affects,
        where: { location: place, pointer: at.pointer },
        ...values,
        origin,
        side,
        message: sentenceOf(),
        ...(facts.renamedTo === undefined ? {} : { renamedTo: facts.renamedTo }),
        reason: rule.reason,
      },
      carriers: new Set([at.carrier]),
    });
  }

  differences(): readonly Difference[] {
    const order = new Map<string, number>();
    const names = [this.next, this.old].flatMap(({ operations, operationsWithoutPath, sentRequests = [] }) => [
      ...[...operations, ...operationsWithoutPath].map(formatOperation),
      ...sentRequests.map(formatSentRequest),
    ]);
    for (const each of names) if (!order.has(each)) order.set(each, order.size);
    return [...this.#found.values()].map(({ difference, carriers, shared }): Difference => {
      const users = collectOperations(carriers).sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
      const says = shared !== undefined && users.length > 1 ? shared(users.length) : difference.message;
      return { ...difference, message: says, where: { operations: users, ...difference.where } };
    });
  }
}

export function reportDifference(at: ComparisonContext, code: DifferenceCode, facts: DifferenceFacts): void {
  at.comparison.report(code, at, facts);
}

/** Descends one step into a value: a property, or `*` for every item. */
export function atToken(at: ComparisonContext, token: string): ComparisonContext {
  return { ...at, pointer: `${at.pointer}/${token.replaceAll("~", "~0").replaceAll("/", "~1")}` };
}

/** Descends to all parts that have no names of their own, such as `an item`. Their pointer is `*`. */
export function atEach(at: ComparisonContext, what: string): ComparisonContext {
  const inside = atToken(at, "*");
  return { ...inside, part: { words: `${what} of ${describeValue(at)}`, pointer: inside.pointer } };
}

/** Formats an operation: its method and path, or its name where it has no path. */
export function formatOperation({
  method,
  path,
  name,
}: {
  readonly method: string;
  readonly path: string;
  readonly name: string;
}): string {
  return path === "" ? name : `${method} ${path}`;
}

/** Formats a webhook or a callback: its method, and its name in place of a path. */
export function formatSentRequest({ method, name }: Pick<SentRequest, "method" | "name">): string {
  return `${method} ${name}`;
}

/** Describes the value at the pointer for use in a sentence. */
export function describeValue({ pointer, subject, part }: ComparisonContext): string {
  const inside = pointer.slice((part?.pointer.length ?? 0) + 1);
  const whole = part?.words ?? subject;
  return inside === "" ? whole : `"${inside}" of ${whole}`;
}

function shortenValues({ old, new: next }: DifferenceFacts): Pick<Difference, "old" | "new"> {
  if (old === undefined) return next === undefined ? {} : { new: shorten(next) };
  if (next === undefined) return { old: shorten(old) };
  const [before, after] = shortenBoth(old, next);
  return { old: before, new: after };
}

function collectOperations(carriers: ReadonlySet<Carrier>): string[] {
  const users = new Set(carriers);
  for (const carrier of users) for (const user of carrier.users) users.add(user); // iterating a set includes values added meanwhile
  return [...new Set([...users].flatMap(({ operation }) => operation ?? []))];
}
