import { code, literal, name, textOf, type Code } from "../../emit/printer.js";
import type { Json, ScopeGrammar, Shape } from "../../model/api.js";
import type { ShapesByName } from "../../model/shapes-by-name.js";
import { camelCase } from "../../model/names.js";
import { $ } from "../runtime.js";
import type { Pool } from "./pool.js";

/** How an object counts a null: as what it is, or, as `x-input` may have it, as nothing sent where the field cannot be null. */
export type Nulls = "judged" | "absent";

/** Where a statement stands: the value that it judges, and how it tells what is wrong. */
export interface Spot {
  /** An expression of the type `unknown` without effects. */
  readonly value: Code;
  /** The field or item of the function's value that this is; absent for the value itself. */
  readonly at?: Code;
  /** A name for functions that are made here. */
  readonly hint: string;
}

/** What the functions of a file have in common. */
export interface Around {
  readonly pool: Pool;
  readonly shapes: ShapesByName;
  readonly nulls: Nulls;
  readonly scopes: ScopeGrammar | undefined;
  /** The function that judges a named shape. */
  readonly refer: (shape: string, nulls: Nulls) => Code;
}

/** One function while it is printed. */
export class Scope {
  readonly around: Around;
  readonly #taken = new Map<string, number>();

  constructor(around: Around) {
    this.around = around;
  }

  /** A variable for a field that this function does not have yet. */
  field(about: string): Code {
    return this.variable(`${(camelCase(about) ?? "field").slice(0, 60)}Value`);
  }

  variable(stem: string): Code {
    const used = this.#taken.get(stem) ?? 0;
    this.#taken.set(stem, used + 1);
    return name(used === 0 ? stem : `${stem}${used + 1}`);
  }

  /** The shape that a reference leads to. */
  named(ref: string): Shape {
    const shape = this.around.shapes.get(ref);
    if (shape === undefined) throw new Error(`there is no shape ${ref}`);
    return shape;
  }
}

/** Says that something is wrong at a spot. */
export function fault({ at }: Spot, what: string, ...details: readonly (Json | undefined)[]): Code {
  const last = details.findLastIndex((each) => each !== undefined);
  const given = details
    .slice(0, last + 1)
    .map((each) => (each === undefined ? code`, undefined` : code`, ${literal(each)}`));
  const rest = given.reduce((before, each) => code`${before}${each}`, code``);
  return at === undefined
    ? code`${$("fail")}(faults, ${literal(what)}${rest});`
    : code`${$("failAt")}(faults, ${at}, ${literal(what)}${rest});`;
}

/** Statements that judge a value from within: what they find lies below a field or item, the key of which the runtime puts before their paths. */
export function below(
  scope: Scope,
  { at, value, hint }: Spot,
  statements: (inner: Spot) => readonly Code[],
): readonly Code[] {
  const within = statements({ value, hint });
  if (at === undefined || within.length === 0) return within;
  const from = scope.variable("before");
  return [
    code`const ${from} = faults.length;`,
    ...within,
    code`if (faults.length > ${from}) ${$("under")}(faults, ${from}, ${at});`,
  ];
}

/** Reads something into a variable, where the statements that follow look at it. */
export function reading(variable: Code, from: Code, statements: readonly Code[]): readonly Code[] {
  const own = textOf(variable);
  const isRead = statements.some((each) =>
    new RegExp(`(?<![\\w$])${own.replaceAll("$", "\\$")}(?![\\w$])`).test(textOf(each)),
  );
  return isRead ? [code`const ${variable} = ${from};`] : [];
}
