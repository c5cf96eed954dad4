/** Whether an Accept header allows one of the media types, which may be ranges. Ignores parameters of a range other than q. */
export function isAcceptable(accept: string, produced: readonly string[]): boolean {
  if (accept === "*/*" || accept.trim() === "" || produced.includes(accept)) return true;
  const ranges = accept.split(",").map(readRange);
  return produced.some((type) => weightOf(type, ranges) > 0 || containsAcceptable(type, ranges));
}

interface Range {
  readonly type: string;
  readonly weight: number;
}

// Old clients, such as Java's own, send `*` and `q=.2`.
function readRange(text: string): Range {
  const [type = "", ...parameters] = text.split(";").map((each) => each.trim().toLowerCase());
  const q = parameters.find((each) => each.startsWith("q="));
  const weight = q === undefined ? 1 : /^q=(1(\.0*)?|0?(\.\d*)?)$/.test(q) ? Number(`0${q.slice(2)}`) : 0;
  return { type: type === "*" ? "*/*" : type, weight };
}

/** True if the media type is a range, such as `image/*`, and a type in it is acceptable. */
function containsAcceptable(type: string, ranges: readonly Range[]): boolean {
  const prefix = type === "*/*" ? "" : type.toLowerCase().slice(0, -1);
  return type.endsWith("/*") && ranges.some((range) => range.weight > 0 && range.type.startsWith(prefix));
}

/** The weight of the most specific range that matches a type. */
function weightOf(type: string, ranges: readonly Range[]): number {
  const essence = type.toLowerCase();
  const names = [essence, `${essence.slice(0, essence.indexOf("/"))}/*`, "*/*"];
  for (const name of names) {
    const matchingRange = ranges.find((range) => range.type === name);
    if (matchingRange !== undefined) return matchingRange.weight;
  }
  return 0;
}
