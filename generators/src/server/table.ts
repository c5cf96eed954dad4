import { code, comment, join, key, name, type Code } from "../emit/printer.js";

/** Emits a table: a constant with a value for each of some operations, by name. */
export function table(
  own: string,
  { about, type }: { readonly about: string; readonly type: Code },
  entries: readonly (readonly [operation: string, value: Code])[],
): Code {
  const members = entries.map(([operation, value]) => member(operation, value, type));
  return code`${comment([about])}
export const ${name(own)}: Readonly<Record<string, ${type}>> = { ${join(members, code`, `)} };`;
}

/**
 * Emits a member of a table. For names on `Object.prototype`, `satisfies` keeps the compiler from checking against the
 * inherited member.
 */
export function member(named: string, value: Code, type: Code): Code {
  return named in Object.prototype ? code`${key(named)}: ${value} satisfies ${type}` : code`${key(named)}: ${value}`;
}

/** Emits an array literal. */
export function list(items: readonly Code[]): Code {
  return code`[${join(items, code`, `)}]`;
}

/** Emits an object literal of the defined members. */
export function record(members: Readonly<Record<string, Code | undefined>>): Code {
  const given = Object.entries(members).flatMap(([each, value]) =>
    value === undefined ? [] : [code`${key(each)}: ${value}`],
  );
  return code`{ ${join(given, code`, `)} }`;
}
