import { pickDefined, type Expression } from "../../model/index.js";
import { parsePointer } from "./spec-node.js";

/** True if a text is meant as an expression and not as a literal. */
export function looksLikeExpression(text: string): boolean {
  return text.startsWith("$") || /^\d+(\/|$)/.test(text);
}

/**
 * Parses a runtime expression of OpenAPI, extended by `$caller`, `$target` and `$refs`, or a relative JSON pointer. Returns `undefined` for
 * any other text.
 */
export function parseExpression(text: string): Expression | undefined {
  const parameter = /^\$request\.(path|query|header)\.(.+)$/s.exec(text);
  if (parameter) {
    const [, part = "", name = ""] = parameter;
    return { text, root: "request", part, name, pointer: [] };
  }
  const match = /^(?:\$(request|response|caller|target|refs)(?:\.([^#]+))?(?:#(.*))?|(\d+)(\/.*)?)$/s.exec(text);
  if (match === null) return undefined;
  const [, root, part, fragment, up, path] = match;
  const pointer = parsePointer(fragment ?? path ?? "");
  if (pointer === undefined) return undefined;
  switch (root as Exclude<Expression["root"], "relative"> | undefined) {
    case undefined:
      return { text, root: "relative", part: up ?? "0", pointer };
    case "request":
    case "response":
      return part === "body" ? { text, root: root as "request" | "response", part, pointer } : undefined;
    case "caller":
      return /^[\w-]*$/.test(part ?? "") ? { text, root: "caller", ...pickDefined("name", part), pointer } : undefined;
    case "target":
      return part === undefined ? { text, root: "target", pointer } : undefined;
    case "refs":
      return part === undefined ? undefined : { text, root: "refs", part, pointer };
  }
}
