/** A piece of formatted JSON, and the class of its colour. */
export interface JsonToken {
  readonly text: string;
  readonly kind: "property" | "string" | "constant" | undefined;
}

const indent = "  ";

/**
 * Formats a JSON text with line breaks. Numbers and texts stay as they are written.
 *
 * @returns The pieces of the text; undefined where it is not JSON.
 */
export function formatJson(text: string): readonly JsonToken[] | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens: JsonToken[] = [];
  const add = (piece: string, kind?: JsonToken["kind"]): void => void tokens.push({ text: piece, kind });
  const parts = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)].map(([part]) => part);
  let depth = 0;
  const breakLine = (): void => add(`\n${indent.repeat(depth)}`);
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    if (part === "{" || part === "[") {
      add(part);
      depth += 1;
      if (next !== "}" && next !== "]") breakLine();
    } else if (part === "}" || part === "]") {
      depth -= 1;
      const previous = parts[index - 1];
      if (previous !== "{" && previous !== "[") breakLine();
      add(part);
    } else if (part === ",") {
      add(part);
      breakLine();
    } else if (part === ":") add(": ");
    else if (!part.startsWith('"')) add(part, "constant");
    else add(part, next === ":" ? "property" : "string");
  }
  return tokens;
}
