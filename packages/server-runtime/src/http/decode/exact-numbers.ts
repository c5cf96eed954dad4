import type { Issues } from "../issues/issues.js";

/** Adds an issue for the first number of a JSON text that `JSON.parse` changes: one beyond doubles, or an integer with too many digits. */
export function addFirstInexactNumber(text: string, issues: Issues): void {
  if (!mayBeInexact.test(text)) return;
  stringOrNumber.lastIndex = 0;
  for (let match = stringOrNumber.exec(text); match !== null; match = stringOrNumber.exec(text)) {
    const [literal] = match;
    if (literal.startsWith('"')) continue;
    const most = exceededLimit(literal);
    if (most === undefined) continue;
    issues.push({ path: pathOf(text, match.index), code: "safeInteger", first: most });
    return;
  }
}

// Sixteen digits may exceed 2^53, and a three-digit exponent the range of doubles. Most texts have neither, and need no further check.
const mayBeInexact = /\d{16}|[eE]\+?\d{3}/;
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** The limit that a number exceeds. Fractions are rounded as usual. */
function exceededLimit(literal: string): number | undefined {
  const value = Number(literal);
  if (!Number.isFinite(value)) return Number.MAX_VALUE;
  if (Number.isSafeInteger(value) || /[.eE]/.test(literal)) return undefined;
  // `JSON.stringify` writes a large double with other digits than its exact value. They parse to the same double.
  return String(value) === literal || BigInt(value) === BigInt(literal) ? undefined : Number.MAX_SAFE_INTEGER;
}

/** The path of the value at an index of a JSON text. */
function pathOf(text: string, index: number): (string | number)[] {
  const path: (string | number)[] = [];
  structure.lastIndex = 0;
  for (let match = structure.exec(text); match !== null && match.index < index; match = structure.exec(text)) {
    const [token, key] = match;
    const last = path.at(-1);
    if (token === "{" || token === "[") path.push(token === "{" ? "" : 0);
    else if (token === "}" || token === "]") path.pop();
    else if (token === "," && typeof last === "number") path[path.length - 1] = last + 1;
    else if (key !== undefined) path[path.length - 1] = JSON.parse(key) as string;
  }
  return path;
}

// Strings that are keys, other strings, brackets and commas.
const structure = /("[^"\\]*(?:\\.[^"\\]*)*")[ \t\n\r]*:|"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/gs;
