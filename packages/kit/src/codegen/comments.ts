/** Formats the content of a JSDoc block, without the delimiters `/*` and `*` + `/`; empty for no lines. */
export function formatComment(lines: readonly string[]): string {
  const all = toCommentLines(lines);
  const safe = all.slice(
    all.findIndex((line) => line !== ""),
    all.findLastIndex((line) => line !== "") + 1,
  );
  const [only = ""] = safe;
  if (safe.length === 0) return "";
  // TypeScript obeys `@ts-ignore` and `@ts-expect-error` on the last line of a comment; in a block the last line is empty.
  if (safe.length === 1 && !/^\W*@ts-/.test(only)) return `* ${only} `;
  return `*\n${safe.map((line) => (line === "" ? " *" : ` * ${line}`)).join("\n")}\n `;
}

/**
 * Makes lines safe for a comment, and wraps them. The lines are Markdown: paragraphs and list items are wrapped again, tables and code stay
 * unchanged.
 */
function toCommentLines(lines: readonly string[]): readonly string[] {
  const safe = lines
    .join("\n")
    .split(/\r\n|[\n\r\u2028\u2029\u0085]/)
    .map(toCommentLine);
  const filled: string[] = [];
  let paragraph: string | undefined;
  let isCode = false;
  const flush = (): void => {
    if (paragraph !== undefined) filled.push(...wrapLine(paragraph));
    paragraph = undefined;
  };
  for (const line of safe) {
    const isFence = line.trimStart().startsWith("```");
    if (isFence) isCode = !isCode;
    const isFixed =
      isCode || isFence || line === "" || /^(\||@|#)/.test(line) || (paragraph === undefined && /^ {4}/.test(line));
    if (isFixed || /^\s*([-*+]|\d+\.)\s/.test(line)) flush();
    if (isFixed) filled.push(line);
    else paragraph = paragraph === undefined ? line : `${paragraph} ${line.trimStart()}`;
  }
  flush();
  while (filled.at(-1) === "") filled.pop();
  return filled;
}

/** Escapes the end of a comment, and removes control characters and bidirectional marks. */
function toCommentLine(text: string): string {
  return text
    .replaceAll(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
      "",
    )
    .replaceAll("*/", "*\\/") // last: a removed character may have stood between the two
    .trimEnd();
}

const maxCommentColumns = 110;

function wrapLine(line: string): readonly string[] {
  if (line.length <= maxCommentColumns) return [line];
  const indent = /^\s*(?:[-*]|\d+\.)?\s*/.exec(line)?.[0] ?? "";
  const lines: string[] = [];
  let current = indent;
  for (const word of line.slice(indent.length).split(" ")) {
    const isStart = current.length <= indent.length;
    // A word with an @ at the start of a line would be a JSDoc tag.
    if (!isStart && !word.startsWith("@") && current.length + 1 + word.length > maxCommentColumns) {
      lines.push(current);
      current = " ".repeat(indent.length) + word;
    } else current += isStart ? word : ` ${word}`;
  }
  return [...lines, current];
}
