import type { SourceEdit } from "./fault.js";

/**
 * Applies an edit to a text.
 *
 * @throws Error when the edit does not match exactly once.
 */
export function applyEdit(text: string, { file, within, find, replace }: SourceEdit): string {
  const [begin, end] = within === undefined ? [0, text.length] : region(text, { file, within });
  const part = text.slice(begin, end);
  const at = onlyIndex(part, find, within === undefined ? file : `${file}, in ${JSON.stringify(within)}`);
  if (find === replace)
    throw new Error(`${file}: ${JSON.stringify(find)} is replaced by itself. Write a replacement with a fault.`);
  return text.slice(0, begin) + part.slice(0, at) + replace + part.slice(at + find.length) + text.slice(end);
}

/** The declaration that begins on the line with a text. It ends at the first later line with the same indentation that closes a bracket. */
function region(text: string, { file, within }: { readonly file: string; readonly within: string }): [number, number] {
  const begin = text.lastIndexOf("\n", onlyIndex(text, within, file)) + 1;
  const lineEnd = text.indexOf("\n", begin);
  const line = text.slice(begin, lineEnd);
  if (depthOf(line) === 0) return [begin, lineEnd];
  const indent = /^ */.exec(line)?.[0] ?? "";
  const closing = new RegExp(`\\n${indent}[)}\\]]`).exec(text.slice(lineEnd));
  return [begin, closing === null ? text.length : lineEnd + closing.index + closing[0].length];
}

/** The number of brackets that a line leaves open. */
function depthOf(line: string): number {
  return [...line].reduce((depth, each) => depth + ("([{".includes(each) ? 1 : ")]}".includes(each) ? -1 : 0), 0);
}

function onlyIndex(text: string, sought: string, where: string): number {
  const at = text.indexOf(sought);
  const times = at === -1 ? 0 : text.split(sought).length - 1;
  if (times !== 1)
    throw new Error(`${where}: ${JSON.stringify(sought)} occurs ${times} times. Write a text that occurs once.`);
  return at;
}
