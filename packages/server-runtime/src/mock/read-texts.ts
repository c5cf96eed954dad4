import type { Expression } from "../server/index.js";

/** Parses a JSON pointer. */
export function parsePointer(text: string): readonly string[] {
  return text
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Parses a runtime expression, such as `$request.body#/label`, or a relative JSON pointer, such as `1/label`. */
export function parseExpression(text: string): Expression {
  const [, up, inner = ""] = /^(\d+)(\/.*)?$/s.exec(text) ?? [];
  if (up !== undefined) return { root: "relative", part: up, pointer: parsePointer(inner) };
  const [head, tail = ""] = splitOnce(text, "#");
  const pointer = parsePointer(tail);
  const [root, rest] = splitOnce(head.slice(1), ".") as readonly [Expression["root"], string | undefined];
  if (rest === undefined) return { root, pointer };
  if (root === "caller" || root === "target") return { root, name: rest, pointer };
  if (root === "refs") return { root, part: rest, pointer };
  const [part, name] = splitOnce(rest, ".");
  return { root, part, ...(name !== undefined && { name }), pointer };
}

/** The texts before and after a separator. */
export function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

export function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From, name: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)] as const));
}
