/**
 * Words about an API, for every output that people or models read: text, and the names and values of the description in it. Each output
 * marks those in its own way, so the words are the same in all of them.
 */
export type Phrase = readonly PhrasePart[];

/** A text without markup, or what the description says literally. */
export type PhrasePart = string | CodeSpan;

export interface CodeSpan {
  readonly code: string;
}

/** Creates a phrase from a template literal. */
export function phrase(strings: TemplateStringsArray, ...values: readonly (Phrase | string | number)[]): Phrase {
  return strings.flatMap((text, index) => {
    const value = values[index] ?? "";
    return [text, ...(typeof value === "object" ? value : [String(value)])].filter((part) => part !== "");
  });
}

/** Creates a phrase of a name or a value of the description. */
export function codePhrase(code: string): Phrase {
  return [{ code }];
}

/** Joins phrases with a separator. */
export function joinPhrases(phrases: readonly Phrase[], separator: string): Phrase {
  return phrases.flatMap((each, index) => (index === 0 ? each : [separator, ...each]));
}

/** Joins phrases as a list: `a`, `a and b`, or `a, b and c`. */
export function listPhrases(phrases: readonly Phrase[], conjunction: "and" | "or"): Phrase {
  const last = phrases.at(-1);
  if (last === undefined || phrases.length === 1) return last ?? [];
  return phrase`${joinPhrases(phrases.slice(0, -1), ", ")} ${conjunction} ${last}`;
}

/** Returns a phrase with a capital letter, and a full stop. */
export function toSentence(words: Phrase): Phrase {
  const [first, ...rest] = words;
  return typeof first === "string" ? [first.charAt(0).toUpperCase() + first.slice(1), ...rest, "."] : [...words, "."];
}

/** Returns a phrase as Markdown. */
export function toMarkdown(words: Phrase): string {
  return words.map((part) => (typeof part === "string" ? part : markdownCode(part.code))).join("");
}

/** Returns a phrase without markup: for titles, messages and models. */
export function toPlainText(words: Phrase): string {
  return words.map((part) => (typeof part === "string" ? part : oneLine(part.code))).join("");
}

/** A code span whose fence is longer than each run of backticks in it. */
function markdownCode(code: string): string {
  const text = oneLine(code);
  const runs = (text.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = "`".repeat(Math.max(0, ...runs) + 1);
  return /^`|`$/.test(text) ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
