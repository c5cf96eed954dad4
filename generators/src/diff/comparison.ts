import type { Api, Operation, Shape } from "../model/api.js";
import type { Origin } from "../problem.js";
import { rules, type Code } from "./codes.js";
import type { Difference, Side } from "./difference.js";
import { lineOf, short, shortBoth } from "./short.js";

/** Requests and responses: the same change may break one and not the other. */
export type Direction = "request" | "reply";

/** The position of a comparison. */
export interface At {
  readonly comparison: Comparison;
  readonly direction: Direction;
  /** As in `Where.place`, without the direction of a named schema. */
  readonly place: string;
  /** The same in a sentence, such as `the request body`; equal to `place` for named schemas and the API. */
  readonly thing: string;
  readonly pointer: string;
  readonly carrier: Carrier;
}

/** The facts of one difference. Its position is in the new description, or for a removed node in the old one. */
export interface Facts {
  /** The subject of the rule. Default: the value at the pointer. */
  readonly what?: string;
  readonly old?: unknown;
  readonly new?: unknown;
  readonly here?: Origin;
  readonly gone?: Origin;
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

interface Found {
  /** Formats the message for several operations. */
  readonly shared: ((operations: number) => string) | undefined;
  readonly difference: Omit<Difference, "where"> & { readonly where: Omit<Difference["where"], "operations"> };
  readonly carriers: Set<Carrier>;
}

/** The two descriptions of a comparison, and the differences found so far. */
export class Comparison {
  readonly old: Api;
  readonly next: Api;
  /** Whether an operation of the new description is known to be unchanged, with everything that it refers to. */
  readonly isUntouched: (operation: Operation) => boolean;
  /** New names of schemas by their old names, where neither name is in the other description. */
  readonly renamed: Map<string, string> = new Map();
  /** New names of operations by their old names, where method and path are unchanged. */
  readonly operations: Map<string, string> = new Map();
  /** Names of schemas that were compared because something refers to them. */
  readonly used: Record<Side, Set<string>> = { old: new Set(), new: new Set() };
  readonly #shapes: Record<Side, ReadonlyMap<string, Shape>>;
  readonly #forms: Record<Side, ReadonlyMap<string, string>>;
  readonly #pairs = new Map<Shape, Map<Shape, Partial<Record<Direction, Carrier>>>>();
  readonly #pending: (() => void)[] = [];
  readonly #found = new Map<string, Found>();

  constructor(old: Api, next: Api, isUntouched: (operation: Operation) => boolean) {
    this.old = old;
    this.next = next;
    this.isUntouched = isUntouched;
    const byName = ({ shapes }: Api) => new Map(shapes.map(({ name, shape }) => [name, shape] as const));
    this.#shapes = { old: byName(old), new: byName(next) };
    const bases = ({ shapes }: Api) =>
      new Map(shapes.flatMap(({ name, formOf }) => (formOf === undefined ? [] : [[name, formOf.name] as const])));
    this.#forms = { old: bases(old), new: bases(next) };
  }

  /** Returns the schema of this name, and marks it as used. */
  shape(side: Side, name: string): Shape | undefined {
    this.used[side].add(name);
    return this.#shapes[side].get(name);
  }

  /** Returns the schema of this name without marking it as used. */
  peek(side: Side, name: string): Shape | undefined {
    return this.#shapes[side].get(name);
  }

  has(side: Side, name: string): boolean {
    return this.#shapes[side].has(name);
  }

  /** The schema that a variant is derived from; the name itself for any other schema. */
  baseOf(side: Side, name: string): string {
    return this.#forms[side].get(name) ?? name;
  }

  /** The current name of an operation of the old description. A renamed operation is one difference; references to it are none. */
  called(operation: string): string {
    return this.operations.get(operation) ?? operation;
  }

  /** Records that a schema was renamed, unless both names exist in both descriptions. */
  rename(old: string, next: string): void {
    if (!this.has("new", old) && !this.has("old", next)) this.renamed.set(old, next);
  }

  /** Registers a pair of schemas. Undefined when the pair is registered already; then only its users grow. */
  pair(old: Shape, next: Shape, { direction, carrier }: At): Carrier | undefined {
    const beside = this.#pairs.get(old) ?? new Map<Shape, Partial<Record<Direction, Carrier>>>();
    this.#pairs.set(old, beside);
    const known = beside.get(next) ?? {};
    const made = known[direction] === undefined ? { users: new Set<Carrier>() } : undefined;
    if (made !== undefined) beside.set(next, { ...known, [direction]: made });
    (made ?? known[direction])?.users.add(carrier);
    return made;
  }

  /** Defers a comparison: hundreds of schemas that refer to each other would nest too deep. */
  later(compare: () => void): void {
    this.#pending.push(compare);
  }

  /** Runs the deferred comparisons, including those that they defer. */
  catchUp(): void {
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) next();
  }

  report(code: Code, at: At, facts: Facts): void {
    const rule = rules[code];
    const side = facts.here === undefined ? "old" : "new";
    const origin = facts.here ?? facts.gone ?? this.old.origin;
    const values = valuesOf(facts);
    const words: Readonly<Record<string, string>> = {
      old: "none",
      new: "none",
      ...values,
      what: facts.what ?? whatAt(at),
    };
    const sentenceOf = (what?: string): string => {
      const said = rule.says.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => (name === "what" && what) || (words[name] ?? ""),
      );
      const hint = facts.renamedTo === undefined ? "" : ` It may have been renamed to "${facts.renamedTo}".`;
      return `${said.charAt(0).toUpperCase()}${said.slice(1)}${hint}`;
    };
    // Without a direction in the code, requests and responses report the same difference.
    const whole = [facts.old, facts.new].map((value) => (value === undefined ? "none" : lineOf(value)));
    const where = facts.isShared === true ? [] : [origin.file, origin.pointer, words["what"]];
    const key = [code, side, ...where, ...whole].join("\n");
    const known = this.#found.get(key);
    known?.carriers.add(at.carrier);
    if (known !== undefined) return;
    const isDirected = at.place === at.thing && /^(request|reply)-/.test(code);
    const place = isDirected ? `${at.place} in ${at.direction === "request" ? "requests" : "responses"}` : at.place;
    this.#found.set(key, {
      shared: facts.isShared === true ? (operations) => sentenceOf(`each of ${operations} operations`) : undefined,
      difference: {
        code,
        breaking: rule.breaks,
        touches: rule.touches,
        where: { place, pointer: at.pointer },
        ...values,
        origin,
        side,
        says: sentenceOf(),
        ...(facts.renamedTo === undefined ? {} : { renamedTo: facts.renamedTo }),
        why: rule.why,
      },
      carriers: new Set([at.carrier]),
    });
  }

  differences(): readonly Difference[] {
    const order = new Map<string, number>();
    const operations = [...this.next.operations, ...this.next.linked, ...this.old.operations, ...this.old.linked];
    for (const each of operations) if (!order.has(shown(each))) order.set(shown(each), order.size);
    return [...this.#found.values()].map(({ difference, carriers, shared }): Difference => {
      const users = operationsOf(carriers).sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
      const says = shared !== undefined && users.length > 1 ? shared(users.length) : difference.says;
      return { ...difference, says, where: { operations: users, ...difference.where } };
    });
  }
}

export function report(at: At, code: Code, facts: Facts): void {
  at.comparison.report(code, at, facts);
}

/** Descends one step into a value: a property, or `*` for every item. */
export function inside(at: At, token: string): At {
  return { ...at, pointer: `${at.pointer}/${token.replaceAll("~", "~0").replaceAll("/", "~1")}` };
}

/** Formats an operation: its method and path, or its name where it has no path. */
export function shown({
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

/** Describes the value at the pointer for use in a sentence. */
export function whatAt({ pointer, thing }: At): string {
  return pointer === "" ? thing : `"${pointer.slice(1)}" of ${thing}`;
}

function valuesOf({ old, new: next }: Facts): Pick<Difference, "old" | "new"> {
  if (old === undefined) return next === undefined ? {} : { new: short(next) };
  if (next === undefined) return { old: short(old) };
  const [before, after] = shortBoth(old, next);
  return { old: before, new: after };
}

function operationsOf(carriers: ReadonlySet<Carrier>): string[] {
  const seen = new Set(carriers);
  for (const carrier of seen) for (const user of carrier.users) seen.add(user); // iterating a set includes values added meanwhile
  return [...new Set([...seen].flatMap(({ operation }) => operation ?? []))];
}
