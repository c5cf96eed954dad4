import { parsePointer, type SpecNode } from "../read/spec-node.js";
import type { Condition, Expression, Json, Schema } from "../../model/index.js";
import { readStrings } from "./plain-data.js";

/** Reads a `when`. `readSchema` reads the schemas in it. */
export function readCondition(
  place: SpecNode | undefined,
  readSchema: (place: SpecNode) => Schema,
): Condition | undefined {
  if (place === undefined) return undefined;
  const schemaAt = (key: "caller" | "body" | "target" | "sent") => {
    const child = place.child(key);
    return child === undefined ? {} : { [key]: readSchema(child) };
  };
  const refs = place
    .get("refs")
    ?.entries()
    .map(([field, schema]) => [field, readSchema(schema)] as const);
  const changes = place.get("changes");
  const compare = readComparison(place.get("compare"));
  return {
    ...schemaAt("caller"),
    ...schemaAt("body"),
    ...schemaAt("target"),
    ...schemaAt("sent"),
    ...(refs === undefined ? {} : { refs: Object.fromEntries(refs) }),
    ...(changes === undefined ? {} : { changes: readStrings(changes) }),
    ...(compare === undefined ? {} : { compare }),
  };
}

/** Parses a runtime expression or a relative JSON pointer. Returns `undefined` for any other text. */
export function parseExpression(text: string): Expression | undefined {
  const [head, tail] = splitOnce(text, "#");
  const pointer = parsePointer(tail ?? "");
  if (pointer === undefined) return undefined;
  const relative = /^(\d+)(\/.*)?$/.exec(text);
  if (relative !== null) {
    return { text, root: "relative", part: relative[1] ?? "0", pointer: parsePointer(relative[2] ?? "") ?? [] };
  }
  const match = /^\$(request|response|caller|target|refs)(?:\.(.+))?$/.exec(head);
  if (match === null) return undefined;
  const root = match[1] as "request" | "response" | "caller" | "target" | "refs";
  const rest = match[2];
  if (rest === undefined) return root === "target" || root === "caller" ? { text, root, pointer } : undefined;
  if (root === "caller" || root === "target") return { text, root, name: rest, pointer };
  if (root === "refs") return { text, root, part: rest, pointer };
  const [part, name] = splitOnce(rest, ".");
  return { text, root, part, ...(name === undefined ? {} : { name }), pointer };
}

/** Returns the expression under a key, or `undefined` if there is none or it does not parse, which the linter reports. */
export function readExpression(place: SpecNode, key: string): Expression | undefined {
  const text = place.text(key);
  return text === undefined ? undefined : parseExpression(text);
}

type Comparison = NonNullable<Condition["compare"]>;

function readComparison(place: SpecNode | undefined): Comparison | undefined {
  const [left, operator, right] = place?.items().map((item) => item.raw) ?? [];
  const parsed = typeof left === "string" ? parseExpression(left) : undefined;
  if (parsed === undefined || typeof operator !== "string") return undefined;
  const against = typeof right === "string" && /^(\$|\d+(\/|$))/.test(right) ? parseExpression(right) : undefined;
  return { left: parsed, operator: operator as Comparison["operator"], right: against ?? (right as Json) };
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
