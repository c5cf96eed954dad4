/** A runtime expression of OpenAPI, extended by `$caller`, `$target` and `$refs`, or a relative JSON pointer. */
export type ExpressionSyntax =
  | { readonly root: "path" | "query" | "header"; readonly name: string }
  | { readonly root: "body" | "response" | "target"; readonly pointer: readonly string[] }
  | { readonly root: "caller"; readonly name: string; readonly pointer: readonly string[] }
  | { readonly root: "refs"; readonly name: string; readonly pointer: readonly string[] }
  | { readonly root: "relative"; readonly up: number; readonly pointer: readonly string[] };

/** True if a text is meant as an expression and not as a literal. */
export function looksLikeExpression(text: string): boolean {
  return text.startsWith("$") || /^\d+(\/|$)/.test(text);
}

/** Parses an expression. Returns `undefined` for any other text. */
export function parseExpressionSyntax(text: string): ExpressionSyntax | undefined {
  const parameter = /^\$request\.(path|query|header)\.(.+)$/.exec(text);
  if (parameter) return { root: parameter[1] as "path" | "query" | "header", name: parameter[2] ?? "" };
  const whole =
    /^(\$request\.body|\$response\.body|\$target|\$caller(?:\.([\w-]+))?|\$refs\.([^#]+)|(\d+))(#?)((?:\/.*)?)$/s.exec(
      text,
    );
  if (!whole) return undefined;
  const [, root = "", caller, field, up, hash, rest = ""] = whole;
  if (up !== undefined) return hash === "" ? { root: "relative", up: Number(up), pointer: tokens(rest) } : undefined;
  if (rest !== "" && hash === "") return undefined; // a pointer requires a #
  const pointer = tokens(rest);
  if (field !== undefined) return { root: "refs", name: field, pointer };
  if (root.startsWith("$caller")) return { root: "caller", name: caller ?? "", pointer };
  return { root: root === "$request.body" ? "body" : root === "$response.body" ? "response" : "target", pointer };
}

function tokens(pointer: string): readonly string[] {
  return pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
