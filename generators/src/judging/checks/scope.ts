import { code, literal, name, textOf, type Code } from "../../emit/printer.js";
import type { Json, ScopeGrammar, Shape } from "../../model/api.js";
import type { ShapesByName } from "../../model/shapes-by-name.js";
import { camelCase } from "../../model/names.js";
import { $ } from "../runtime.js";
import type { Pool } from "./pool.js";

/** How objects treat null: as a value, or as an absent field if the field is not nullable (`nulls` of `x-input`). */
export type Nulls = "judged" | "absent";

/** The value that a statement checks, and the path under which it adds issues. */
export interface Spot {
  /** An expression of type `unknown` without side effects. */
  readonly value: Code;
  /** The field or item of the function's value that is checked. Absent for the value itself. */
  readonly at?: Code;
  /** A stem for the names of functions that are declared here. */
  readonly hint: string;
}

/** The context that all functions of a file share. */
export interface Around {
  readonly pool: Pool;
  readonly shapes: ShapesByName;
  readonly nulls: Nulls;
  readonly scopes: ScopeGrammar | undefined;
  /** Returns the function that checks a named schema. */
  readonly refer: (shape: string, nulls: Nulls) => Code;
}

/** The scope of one function while it is printed: it keeps the names of variables apart. */
export class Scope {
  readonly around: Around;
  readonly #taken = new Map<string, number>();

  constructor(around: Around) {
    this.around = around;
  }

  /** Returns an unused name for the variable of a field. */
  field(about: string): Code {
    return this.variable(`${(camelCase(about) ?? "field").slice(0, 60)}Value`);
  }

  variable(stem: string): Code {
    const used = this.#taken.get(stem) ?? 0;
    this.#taken.set(stem, used + 1);
    return name(used === 0 ? stem : `${stem}${used + 1}`);
  }

  /** Resolves a reference to its schema. */
  named(ref: string): Shape {
    const shape = this.around.shapes.get(ref);
    if (shape === undefined) throw new Error(`there is no shape ${ref}`);
    return shape;
  }
}

/** Emits the statement that adds an issue. */
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

/** Emits statements that check the fields or items of a value. The runtime prefixes the paths of their issues with the key of the value. */
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

/** Emits a variable, if the statements that follow use it. */
export function reading(variable: Code, from: Code, statements: readonly Code[]): readonly Code[] {
  const own = textOf(variable);
  const isRead = statements.some((each) =>
    new RegExp(`(?<![\\w$])${own.replaceAll("$", "\\$")}(?![\\w$])`).test(textOf(each)),
  );
  return isRead ? [code`const ${variable} = ${from};`] : [];
}
