/** What a runtime expression of Arazzo refers to. */
export type RuntimeExpression =
  | { readonly root: "input"; readonly name: string }
  | { readonly root: "output"; readonly step: string; readonly name: string; readonly pointer: readonly string[] }
  | { readonly root: "status" }
  | { readonly root: "response" | "request"; readonly part: "body"; readonly pointer: readonly string[] }
  | { readonly root: "response" | "request"; readonly part: "header" | "path" | "query"; readonly name: string };

/** Parses a runtime expression. Returns `undefined` for any other text. */
export function parseRuntimeExpression(text: string): RuntimeExpression | undefined {
  if (text === "$statusCode") return { root: "status" };
  const input = /^\$inputs\.([\w-]+)$/.exec(text);
  if (input !== null) return { root: "input", name: input[1] ?? "" };
  const output = /^\$steps\.([\w-]+)\.outputs\.([\w-]+)(?:#(\/.*))?$/.exec(text);
  if (output !== null)
    return { root: "output", step: output[1] ?? "", name: output[2] ?? "", pointer: tokensOf(output[3] ?? "") };
  const body = /^\$(response|request)\.body(?:#(\/.*)?)?$/.exec(text);
  if (body !== null)
    return { root: body[1] === "request" ? "request" : "response", part: "body", pointer: tokensOf(body[2] ?? "") };
  const parameter = /^\$(response|request)\.(header|path|query)\.([\w-]+)$/.exec(text);
  if (parameter === null) return undefined;
  return {
    root: parameter[1] === "request" ? "request" : "response",
    part: parameter[2] === "header" ? "header" : parameter[2] === "path" ? "path" : "query",
    name: parameter[3] ?? "",
  };
}

/**
 * Splits a text into literals and `{$…}` expressions. A text that starts with `$` is a single expression. Calls `wrong`
 * with each
 * expression that does not parse.
 */
export function parseTemplate(
  text: string,
  wrong: (expression: string) => void,
): readonly (string | RuntimeExpression)[] {
  if (text.startsWith("$")) return parseTemplatePart(text, wrong);
  return text
    .split(/(\{\$[^{}]*\})/)
    .filter((part) => part !== "")
    .flatMap((part) => (part.startsWith("{$") ? parseTemplatePart(part.slice(1, -1), wrong) : [part]));
}

function parseTemplatePart(text: string, wrong: (expression: string) => void): readonly (string | RuntimeExpression)[] {
  const reference = parseRuntimeExpression(text);
  if (reference === undefined) wrong(text);
  return [reference ?? text];
}

/** Returns the unescaped tokens of a JSON pointer. */
function tokensOf(pointer: string): readonly string[] {
  return pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
