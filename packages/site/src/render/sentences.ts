/** Returns the first sentence of a text, without Markdown links. */
export function firstSentenceOf(text: string): string {
  const plain = (text.trim().split(/\n\s*\n/)[0] ?? "").replaceAll(/\s+/g, " ");
  const sentence = plain.split(/(?<=[.!?]) +(?=[^a-z])/)[0] ?? "";
  return sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").slice(0, 300);
}
