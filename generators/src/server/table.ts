import { code, comment, join, key, name, type Code } from "../emit/printer.js";

/** A constant with something for each of some operations, by their names. */
export function table(
  own: string,
  { about, type }: { readonly about: string; readonly type: Code },
  entries: readonly (readonly [operation: string, value: Code])[],
): Code {
  const members = entries.map(([operation, value]) => member(operation, value, type));
  return code`${comment([about])}
export const ${name(own)}: Readonly<Record<string, ${type}>> = { ${join(members, code`, `)} };`;
}

/** A member of a table by names of the description. Under a name that every object has, the compiler would look for what objects have there. */
export function member(named: string, value: Code, type: Code): Code {
  return named in Object.prototype ? code`${key(named)}: ${value} satisfies ${type}` : code`${key(named)}: ${value}`;
}

/** A list literal. */
export function list(items: readonly Code[]): Code {
  return code`[${join(items, code`, `)}]`;
}

/** An object literal of those members that are there. */
export function record(members: Readonly<Record<string, Code | undefined>>): Code {
  const given = Object.entries(members).flatMap(([each, value]) =>
    value === undefined ? [] : [code`${key(each)}: ${value}`],
  );
  return code`{ ${join(given, code`, `)} }`;
}
