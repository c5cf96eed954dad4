/** TypeScript's types, as far as descriptions require them. */
import { code, comment, join, key, literal as literalCode, textOf, type Code } from "../emit/printer.js";
import type { Json } from "../model/api.js";

/** A type. `form` determines where it needs parentheses, and whether it can be an interface. */
export interface Type {
  readonly text: Code;
  readonly form: "union" | "intersection" | "members" | "other";
  /** The members of a union or an intersection. */
  readonly of: readonly Type[];
}

export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly type: Type;
  readonly comment: readonly string[];
}

export const unknown: Type = other(code`unknown`);
export const never: Type = other(code`never`);
/** Qualified, because a schema may be named Blob. */
export const blob: Type = other(code`globalThis.Blob`);

/** The types of JSON Schema without further structure. */
export const scalars: Readonly<Record<"string" | "number" | "integer" | "boolean" | "null", Type>> = {
  string: other(code`string`),
  number: other(code`number`),
  integer: other(code`number`),
  boolean: other(code`boolean`),
  null: other(code`null`),
};

export function named(name: Code): Type {
  return other(name);
}

export function literal(value: Json): Type {
  return other(literalCode(value));
}

export function array(items: Type): Type {
  const isSimple = items.form === "other" || items.form === "members";
  return other(isSimple ? code`${items.text}[]` : code`(${items.text})[]`);
}

export function tuple(items: readonly Type[]): Type {
  return other(
    code`[${join(
      items.map((each) => each.text),
      code`, `,
    )}]`,
  );
}

/** Returns an object type with arbitrary keys. */
export function record(values: Type): Type {
  return other(code`Record<string, ${values.text}>`);
}

/** Returns an object type with these members. `others` is the type of all other members, if there may be any. */
export function object(members: readonly Member[], others: Type | undefined): Type {
  const literals = [
    ...(members.length > 0 ? [braces(members.map(memberLine))] : []),
    ...(others === undefined ? [] : [braces([code`[key: string]: ${others.text};`])]),
  ];
  return literals.length === 0 ? record(unknown) : intersection(literals);
}

/** Returns a union without duplicates. */
export function union(types: readonly Type[]): Type {
  return combined(types, "union");
}

export function intersection(types: readonly Type[]): Type {
  return combined(types, "intersection");
}

const operators = { union: code` | `, intersection: code` & ` };

function combined(types: readonly Type[], form: "union" | "intersection"): Type {
  const flat = types.flatMap((type) => (type.form === form ? type.of : [type]));
  const of = [...new Map(flat.map((type) => [textOf(type.text), type] as const)).values()];
  const [only] = of;
  if (only === undefined) return form === "union" ? never : unknown;
  if (of.length === 1) return only;
  const pieces = of.map(({ text, form: inner }) =>
    inner === "union" || inner === "intersection" ? code`(${text})` : text,
  );
  return { text: join(pieces, operators[form]), form, of };
}

function memberLine({ name, required, type, comment: lines }: Member): Code {
  const about = lines.length === 0 ? code`` : code`${comment(lines)}\n`;
  return required ? code`${about}${key(name)}: ${type.text};` : code`${about}${key(name)}?: ${type.text};`;
}

function braces(lines: readonly Code[]): Type {
  return { text: code`{\n${lines}\n}`, form: "members", of: [] };
}

function other(text: Code): Type {
  return { text, form: "other", of: [] };
}
