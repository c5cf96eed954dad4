/** Ends a text with a full stop, unless it ends like a sentence already: also in brackets, in quotes, and in other scripts. */
export function endSentence(text: string): string {
  const trimmed = text.trimEnd();
  if (trimmed === "" || /[\p{Sentence_Terminal}…:][\p{Close_Punctuation}\p{Final_Punctuation}"'*_`]*$/u.test(trimmed))
    return trimmed;
  return `${trimmed}${/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(trimmed) ? "。" : "."}`;
}

/** Lines of Markdown after which a sentence cannot continue: lists, tables, headings, quotes and code. */
const blockLine = /^\s*(?:[-*+]\s|\d+[.)]\s|\||#|>|```|~~~)|^(?: {4}|\t)/;

/**
 * Appends a sentence to lines of Markdown: after a full stop, or as a paragraph of its own if the text ends with a list, a table, code, or with
 * what introduces something, such as a colon.
 */
export function appendSentence(lines: readonly string[], sentence: string): readonly string[] {
  const last = lines.at(-1);
  if (last === undefined) return [sentence];
  const paragraph = lines.slice(lines.findLastIndex((line) => line.trim() === "") + 1);
  if (paragraph.some((line) => blockLine.test(line)) || /[,;:、，；：—–-]$/u.test(last.trimEnd()))
    return [...lines, "", sentence];
  return [...lines.slice(0, -1), endSentence(last), sentence];
}
