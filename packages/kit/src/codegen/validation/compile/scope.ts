import { type Json, type ScopeGrammar, type Schema, type SchemasByName, camelCase } from "../../../model/index.js";
import { code, jsonLiteral, identifier, renderCode, type Code } from "../../printer.js";
import { validatorFunction } from "../runtime.js";
import type { CustomChecks } from "./custom.js";
import type { HoistedConstants } from "./hoisted-constants.js";

/** How objects treat null: as a value, or as an absent field if the field is not nullable (`nulls` of `x-input`). */
export type NullHandling = "validated" | "absent";

/** The value that a statement checks, and the path under which it adds issues. */
export interface CheckSite {
  /** An expression of type `unknown` without side effects. */
  readonly value: Code;
  /** The field or item of the function's value that is checked. Absent for the value itself. */
  readonly at?: Code;
  /** A stem for the names of functions that are declared here. */
  readonly hint: string;
}

/** The context that all functions of a file share. */
export interface CompileContext {
  readonly constants: HoistedConstants;
  readonly schemas: SchemasByName;
  readonly nulls: NullHandling;
  readonly scopes: ScopeGrammar | undefined;
  /** Custom formats and keywords. Absent: they are not checked. */
  readonly custom?: CustomChecks | undefined;
  /** Returns the function that checks a named schema. */
  readonly refer: (schema: string, nulls: NullHandling) => Code;
  /** Whether the function that checks a schema can reject unknown fields. */
  readonly canReject: (schema: Schema) => boolean;
}

/** The scope of one function while it is printed: it keeps the names of variables apart. */
export class FunctionScope {
  readonly context: CompileContext;
  /** The variables of the open blocks. */
  #used: ReadonlySet<string> = new Set();
  /** The variables of fields, by the expressions that read these. */
  #fields: ReadonlyMap<string, Code> = new Map();

  constructor(context: CompileContext) {
    this.context = context;
  }

  /** Emits the statements of a block. Its variables end with it. */
  block<Result>(emit: () => Result): Result {
    const [used, fields] = [this.#used, this.#fields];
    try {
      return emit();
    } finally {
      [this.#used, this.#fields] = [used, fields];
    }
  }

  /** Emits statements, whose variables stay unless there are none. */
  attempt(emit: () => readonly Code[]): readonly Code[] {
    const [used, fields] = [this.#used, this.#fields];
    const statements = emit();
    if (statements.length === 0) [this.#used, this.#fields] = [used, fields];
    return statements;
  }

  /** Returns the variable of a field of `owner`. `isNew`: no statement before has declared it. */
  field(
    name: string,
    { owner, access }: { readonly owner: Code; readonly access: Code },
  ): { readonly variable: Code; readonly isNew: boolean } {
    const read = renderCode(access);
    const existing = this.#fields.get(read);
    if (existing !== undefined) return { variable: existing, isNew: false };
    const variable = this.variable(`${(camelCase(name) ?? "field").slice(0, 60)}Value`, owner);
    this.#fields = new Map([...this.#fields, [read, variable]]);
    return { variable, isNew: true };
  }

  /** Returns an unused name for a variable. If an open block has one of the same name, it starts with that of `owner`. */
  variable(stem: string, owner: Code): Code {
    const [, about] = /^(\w+?)(?:Value)?$/.exec(renderCode(owner)) ?? [];
    const names = about === undefined ? [stem] : [stem, camelCase(`${about} ${stem}`) ?? stem];
    const longest = names.at(-1) ?? stem;
    let name = names.find((each) => !this.#used.has(each));
    for (let next = 2; name === undefined; next += 1)
      if (!this.#used.has(`${longest}${next}`)) name = `${longest}${next}`;
    this.#used = new Set([...this.#used, name]);
    return identifier(name);
  }

  /** Resolves a reference to its schema. */
  resolve(ref: string): Schema {
    const schema = this.context.schemas.get(ref);
    if (schema === undefined) throw new Error(`there is no schema ${ref}`);
    return schema;
  }
}

/** Emits the statement that adds an issue. */
export function emitIssue({ at }: CheckSite, what: string, ...details: readonly (Json | undefined)[]): Code {
  const last = details.findLastIndex((each) => each !== undefined);
  const args = details
    .slice(0, last + 1)
    .map((each) => (each === undefined ? code`, undefined` : code`, ${jsonLiteral(each)}`));
  const rest = args.reduce((before, each) => code`${before}${each}`, code``);
  return at === undefined
    ? code`${validatorFunction("addIssue")}(issues, ${jsonLiteral(what)}${rest});`
    : code`${validatorFunction("addIssueAt")}(issues, ${at}, ${jsonLiteral(what)}${rest});`;
}

/** Emits statements that check the fields or items of a value. The runtime prefixes the paths of their issues with the key of the value. */
export function emitNested(
  scope: FunctionScope,
  { at, value, hint }: CheckSite,
  statements: (inner: CheckSite) => readonly Code[],
): readonly Code[] {
  if (at === undefined) return statements({ value, hint });
  return scope.attempt(() => {
    const from = scope.variable("before", value);
    const within = statements({ value, hint });
    if (within.length === 0) return [];
    return [
      code`const ${from} = issues.length;`,
      ...within,
      code`if (issues.length > ${from}) ${validatorFunction("prefixPaths")}(issues, ${from}, ${at});`,
    ];
  });
}

/** The parts of each `if` without `else`. */
const plainIfs = new WeakMap<Code, { readonly test: Code; readonly body: Code }>();

/** Emits an `if` without `else`. Its test includes that of an `if` which is all that it contains. */
export function emitIf(test: Code, statements: readonly Code[]): Code {
  const [only, ...others] = statements;
  const inner = only === undefined || others.length > 0 ? undefined : plainIfs.get(only);
  const whole = inner === undefined ? test : code`${asOperand(test)} && ${asOperand(inner.test)}`;
  const body = inner?.body ?? (isIssue(statements) ? code`${statements}` : code`{\n${statements}\n}`);
  const emitted = code`if (${whole}) ${body}`;
  plainIfs.set(emitted, { test: whole, body });
  return emitted;
}

/** Whether statements are one call. */
function isIssue(statements: readonly Code[]): boolean {
  return /^\w+\([^\n]*\);$/.test(renderCode(code`${statements}`));
}

function asOperand(test: Code): Code {
  return /\|\||\?(?!\?)/.test(renderCode(test)) ? code`(${test})` : test;
}

/** Emits the branch of an `if` for values that pass its test: `else if` where that branch is one test itself. */
export function emitElse(statements: readonly Code[]): Code {
  const [only, ...others] = statements;
  return only !== undefined && others.length === 0 && isOneIf(renderCode(only))
    ? code` else ${only}`
    : code` else {\n${statements}\n}`;
}

/** Whether a text is one `if`, with what belongs to it. */
function isOneIf(text: string): boolean {
  let depth = 0;
  return text.split("\n").every((line, index) => {
    const outside = depth;
    // Strings have no line breaks.
    for (const brace of line.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/[{}]/g) ?? []) depth += brace === "{" ? 1 : -1;
    if (index === 0) return line.startsWith("if (") && isOneStatement(line);
    return outside > 0 || (/^\s*else\b/.test(line) && isOneStatement(line));
  });
}

/** Whether nothing follows the first statement of a line. */
function isOneStatement(line: string): boolean {
  return !/;(?!$| else\b)/.test(line.replaceAll(/"(?:[^"\\]|\\.)*"/g, ""));
}

/** Emits a variable, if the statements that follow use it. */
export function emitRead(variable: Code, from: Code, statements: readonly Code[]): readonly Code[] {
  const name = renderCode(variable);
  const isRead = statements.some((each) =>
    new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(renderCode(each)),
  );
  return isRead ? [code`const ${variable} = ${from};`] : [];
}
