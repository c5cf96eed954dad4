import type { Api, Operation, Shape } from "../model/api.js";
import type { Origin } from "../problem.js";
import { rules, type Code } from "./codes.js";
import type { Difference, Side } from "./difference.js";
import { lineOf, short, shortBoth } from "./short.js";

/** What is sent, or what comes back: the same change breaks one and not the other. */
export type Direction = "request" | "reply";

/** Where a comparison is. */
export interface At {
  readonly comparison: Comparison;
  readonly direction: Direction;
  /** As `Where.place` has it, but for whether a named shape is in requests or in replies. */
  readonly place: string;
  /** The same inside a sentence, such as `the request body`; for named shapes and the API the very same. */
  readonly thing: string;
  readonly pointer: string;
  readonly carrier: Carrier;
}

/** What is known of one difference; where it is, in the new description or, when it is gone, in the old one. */
export interface Facts {
  /** The thing of which the rule speaks; the value at the pointer when absent. */
  readonly what?: string;
  readonly old?: unknown;
  readonly new?: unknown;
  readonly here?: Origin;
  readonly gone?: Origin;
  /** The new name of what is gone, where something new says the same. */
  readonly renamedTo?: string | undefined;
  /** The same of several operations is told once, with their number. */
  readonly isShared?: boolean;
}

/** An operation, or two named shapes that are compared once and stand wherever others refer to them. */
export interface Carrier {
  /** As `POST /pets`; absent for shapes, and for the API as a whole. */
  readonly operation?: string;
  readonly users: Set<Carrier>;
}

interface Found {
  /** What is said when several operations share it. */
  readonly shared: ((operations: number) => string) | undefined;
  readonly difference: Omit<Difference, "where"> & { readonly where: Omit<Difference["where"], "operations"> };
  readonly carriers: Set<Carrier>;
}

/** What is being compared, and what has been found. */
export class Comparison {
  readonly old: Api;
  readonly next: Api;
  /** Whether an operation of the new description is known to be as it was, with all that it refers to. */
  readonly isUntouched: (operation: Operation) => boolean;
  /** Old names of shapes that stand where the new ones stood, where neither is in the other description. */
  readonly renamed: Map<string, string> = new Map();
  /** Old names of operations that are where they were, and the new ones. */
  readonly operations: Map<string, string> = new Map();
  /** Names of shapes that were compared because somebody refers to them. */
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

  /** The shape of this name, which is from then on one that is used. */
  shape(side: Side, name: string): Shape | undefined {
    this.used[side].add(name);
    return this.#shapes[side].get(name);
  }

  /** The same of one that is not used for that. */
  peek(side: Side, name: string): Shape | undefined {
    return this.#shapes[side].get(name);
  }

  has(side: Side, name: string): boolean {
    return this.#shapes[side].has(name);
  }

  /** The shape that a form is derived from; the name itself where it is no form. */
  baseOf(side: Side, name: string): string {
    return this.#forms[side].get(name) ?? name;
  }

  /** What an operation of the old description is called now: that it is called so is told once, and not of what names it. */
  called(operation: string): string {
    return this.operations.get(operation) ?? operation;
  }

  /** Notes that a name stands where another one stood, if that is what it means. */
  rename(old: string, next: string): void {
    if (!this.has("new", old) && !this.has("old", next)) this.renamed.set(old, next);
  }

  /** What carries these two from now on; undefined when they are compared already, which is noted for what asks. */
  pair(old: Shape, next: Shape, { direction, carrier }: At): Carrier | undefined {
    const beside = this.#pairs.get(old) ?? new Map<Shape, Partial<Record<Direction, Carrier>>>();
    this.#pairs.set(old, beside);
    const known = beside.get(next) ?? {};
    const made = known[direction] === undefined ? { users: new Set<Carrier>() } : undefined;
    if (made !== undefined) beside.set(next, { ...known, [direction]: made });
    (made ?? known[direction])?.users.add(carrier);
    return made;
  }

  /** Compares later, so that shapes which lead into each other by the hundred are not compared one within the other. */
  later(compare: () => void): void {
    this.#pending.push(compare);
  }

  /** Compares what was put off, and what is put off meanwhile. */
  catchUp(): void {
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) next();
  }

  report(code: Code, at: At, facts: Facts): void {
    const { says, breaks, touches, why } = rules[code];
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
      const said = says.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === "what" && what) || (words[name] ?? ""));
      const hint = facts.renamedTo === undefined ? "" : ` Perhaps it is "${facts.renamedTo}" now.`;
      return `${said.charAt(0).toUpperCase()}${said.slice(1)}${hint}`;
    };
    // Of what is no matter of direction, requests and replies would say the same.
    const whole = [facts.old, facts.new].map((value) => (value === undefined ? "none" : lineOf(value)));
    const where = facts.isShared === true ? [] : [origin.file, origin.pointer, words["what"]];
    const key = [code, side, ...where, ...whole].join("\n");
    const known = this.#found.get(key);
    known?.carriers.add(at.carrier);
    if (known !== undefined) return;
    const isDirected = at.place === at.thing && /^(request|reply)-/.test(code);
    const place = isDirected ? `${at.place} in ${at.direction === "request" ? "requests" : "replies"}` : at.place;
    this.#found.set(key, {
      shared: facts.isShared === true ? (operations) => sentenceOf(`each of ${operations} operations`) : undefined,
      difference: {
        code,
        breaking: breaks,
        touches,
        where: { place, pointer: at.pointer },
        ...values,
        origin,
        side,
        says: sentenceOf(),
        ...(facts.renamedTo === undefined ? {} : { renamedTo: facts.renamedTo }),
        why,
      },
      carriers: new Set([at.carrier]),
    });
  }

  differences(): readonly Difference[] {
    const order = new Map<string, number>();
    const operations = [...this.next.operations, ...this.next.linked, ...this.old.operations, ...this.old.linked];
    for (const each of operations) if (!order.has(shown(each))) order.set(shown(each), order.size);
    return [...this.#found.values()].map(({ difference, carriers, shared }) => {
      const users = operationsOf(carriers).sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
      const says = shared !== undefined && users.length > 1 ? shared(users.length) : difference.says;
      return { ...difference, says, where: { operations: users, ...difference.where } };
    });
  }
}

export function report(at: At, code: Code, facts: Facts): void {
  at.comparison.report(code, at, facts);
}

/** One step into a value: a property, or `*` for every item. */
export function inside(at: At, token: string): At {
  return { ...at, pointer: `${at.pointer}/${token.replaceAll("~", "~0").replaceAll("/", "~1")}` };
}

/** How an operation is called: by its method and path, or by its name where it has no path. */
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

/** The value at the pointer, in a sentence. */
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
  for (const carrier of seen) for (const user of carrier.users) seen.add(user); // a set also gives what is added on the way
  return [...new Set([...seen].flatMap(({ operation }) => operation ?? []))];
}
