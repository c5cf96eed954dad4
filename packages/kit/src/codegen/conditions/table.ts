import { code, docComment, joinCode, propertyKey, identifier, type Code } from "../printer.js";

/** Emits a table: a constant with a value for each of some operations, by name. */
export function emitOperationTable(
  name: string,
  { about, type }: { readonly about: string; readonly type: Code },
  entries: readonly (readonly [operation: string, value: Code])[],
): Code {
  const members = entries.map(([operation, value]) => tableMember(operation, value, type));
  return code`${docComment([about])}
export const ${identifier(name)}: Readonly<Record<string, ${type}>> = { ${joinCode(members, code`, `)} };`;
}

/**
 * Emits a member of a table. For names on `Object.prototype`, `satisfies` keeps the compiler from checking against the
 * inherited member.
 */
export function tableMember(key: string, value: Code, type: Code): Code {
  return key in Object.prototype
    ? code`${propertyKey(key)}: ${value} satisfies ${type}`
    : code`${propertyKey(key)}: ${value}`;
}

/** Emits an array literal. */
export function listLiteral(items: readonly Code[]): Code {
  return code`[${joinCode(items, code`, `)}]`;
}

/** Emits an object literal of the defined members. */
export function objectLiteral(members: Readonly<Record<string, Code | undefined>>): Code {
  const entries = Object.entries(members).flatMap(([each, value]) =>
    value === undefined ? [] : [code`${propertyKey(each)}: ${value}`],
  );
  return code`{ ${joinCode(entries, code`, `)} }`;
}
