/** Returns a number with its unit: `1 case`, `3 cases`. */
export function countOf(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}

/** Returns the words of a name as a title: `createInstance` becomes `Create instance`. */
export function titleOfName(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the first sentence of a text, without Markdown links. */
export function firstSentenceOf(text: string): string {
  const plain = (text.trim().split(/\n\s*\n/)[0] ?? "").replaceAll(/\s+/g, " ");
  const sentence = plain.split(/(?<=[.!?]) +(?=[^a-z])/)[0] ?? "";
  return sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").slice(0, 300);
}

const units = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
] as const;

/** Returns a duration in words, in its largest whole unit: `30 seconds`, `14 days`. */
export function durationInWords(seconds: number): string {
  const unit = units.find(([size]) => seconds >= size && seconds % size === 0);
  return unit === undefined ? countOf(seconds, "second") : countOf(seconds / unit[0], unit[1]);
}
