import type { Json } from "../../model/index.js";
/** TypeScript's types, as far as descriptions require them. */
import {
  code,
  docComment,
  joinCode,
  propertyKey,
  jsonLiteral as literalCode,
  renderCode,
  type Code,
} from "../printer.js";

/** A type. `form` determines where it needs parentheses, and whether it can be an interface. */
export interface TypeExpression {
  readonly text: Code;
  readonly kind: "union" | "intersection" | "members" | "other";
  /** The members of a union or an intersection. */
  readonly of: readonly TypeExpression[];
}

export interface TypeMember {
  readonly name: string;
  readonly required: boolean;
  readonly type: TypeExpression;
  readonly comment: readonly string[];
}

export const unknownType: TypeExpression = otherType(code`unknown`);
export const neverType: TypeExpression = otherType(code`never`);
/** Qualified, because a schema may be named Blob. */
export const fileTypes: Readonly<Record<"Blob" | "File", TypeExpression>> = {
  Blob: otherType(code`globalThis.Blob`),
  File: otherType(code`globalThis.File`),
};

/** The types of JSON Schema without further structure. */
export const scalarTypes: Readonly<Record<"string" | "number" | "integer" | "boolean" | "null", TypeExpression>> = {
  string: otherType(code`string`),
  number: otherType(code`number`),
  integer: otherType(code`number`),
  boolean: otherType(code`boolean`),
  null: otherType(code`null`),
};

export function namedType(name: Code): TypeExpression {
  return otherType(name);
}

export function literalType(value: Json): TypeExpression {
  return otherType(literalCode(value));
}

export function arrayOf(items: TypeExpression): TypeExpression {
  const isSimple = items.kind === "other" || items.kind === "members";
  return otherType(isSimple ? code`${items.text}[]` : code`(${items.text})[]`);
}

export function tupleOf(items: readonly TypeExpression[]): TypeExpression {
  return otherType(
    code`[${joinCode(
      items.map((each) => each.text),
      code`, `,
    )}]`,
  );
}

/** Returns an object type with arbitrary keys. */
export function recordOf(values: TypeExpression): TypeExpression {
  return otherType(code`Record<string, ${values.text}>`);
}

/** Returns an object type with these members. `others` is the type of all other members, if there may be any. */
export function objectOf(members: readonly TypeMember[], others: TypeExpression | undefined): TypeExpression {
  const literals = [
    ...(members.length > 0 ? [braces(members.map(memberLine))] : []),
    ...(others === undefined ? [] : [braces([code`[key: string]: ${others.text};`])]),
  ];
  return literals.length === 0 ? recordOf(unknownType) : intersectionOf(literals);
}

/** Returns a union without duplicates. */
export function unionOf(types: readonly TypeExpression[]): TypeExpression {
  return combineTypes(types, "union");
}

export function intersectionOf(types: readonly TypeExpression[]): TypeExpression {
  return combineTypes(types, "intersection");
}

const operators = { union: code` | `, intersection: code` & ` };

function combineTypes(types: readonly TypeExpression[], form: "union" | "intersection"): TypeExpression {
  const [first] = types;
  if (first !== undefined && types.length === 1) return first;
  const flat = types.flatMap((type) => (type.kind === form ? type.of : [type]));
  const members = [...new Map(flat.map((type) => [renderCode(type.text), type] as const)).values()];
  const [only] = members;
  if (only === undefined) return form === "union" ? neverType : unknownType;
  if (members.length === 1) return only;
  const pieces = members.map(({ text, kind: inner }) =>
    inner === "union" || inner === "intersection" ? code`(${text})` : text,
  );
  return { text: joinCode(pieces, operators[form]), kind: form, of: members };
}

function memberLine({ name, required, type, comment: lines }: TypeMember): Code {
  const about = lines.length === 0 ? code`` : code`${docComment(lines)}\n`;
  return required
    ? code`${about}${propertyKey(name)}: ${type.text};`
    : code`${about}${propertyKey(name)}?: ${type.text};`;
}

function braces(lines: readonly Code[]): TypeExpression {
  return { text: code`{\n${lines}\n}`, kind: "members", of: [] };
}

function otherType(text: Code): TypeExpression {
  return { text, kind: "other", of: [] };
}
