import { toSingleLine } from "@plumbline/kit/codegen";

/** Returns the first sentences of a text that fit together, or the first one cut at a word. Without Markdown links and lists. */
export function firstSentences(text: string, maxLength: number): string {
  const paragraph = text.trim().split(/\n\s*\n/)[0] ?? "";
  const plain = toSingleLine(paragraph).replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const sentences = plain.split(/(?<=[.!?]) +(?=[^a-z])/);
  let result = "";
  for (const sentence of sentences) {
    const longer = result === "" ? sentence : `${result} ${sentence}`;
    if (longer.length > maxLength) break;
    result = longer;
  }
  return result === "" ? cutAtWord(plain, maxLength) : result;
}

/** Returns a text on one line, cut at a word. */
export function shortProse(text: string, maxLength: number): string {
  return cutAtWord(toSingleLine(text), maxLength);
}

function cutAtWord(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // By characters, so that none is cut in half.
  const start = Array.from(text)
    .slice(0, maxLength - 1)
    .join("");
  return `${start.replace(/\s+\S*$/, "")}…`;
}
