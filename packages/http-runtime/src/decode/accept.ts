/** Whether an Accept header allows one of the media types. Ignores parameters of a range other than q. */
export function isAcceptable(accept: string, produced: readonly string[]): boolean {
  if (accept === "*/*" || accept.trim() === "" || produced.includes(accept)) return true;
  const ranges = accept.split(",").map(readRange);
  return produced.some((type) => weightOf(type, ranges) > 0);
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

/** The weight of the most specific range that matches a type. */
function weightOf(type: string, ranges: readonly Range[]): number {
  const essence = type.toLowerCase();
  const names = [essence, `${essence.slice(0, essence.indexOf("/"))}/*`, "*/*"];
  for (const name of names) {
    const found = ranges.find((range) => range.type === name);
    if (found !== undefined) return found.weight;
  }
  return 0;
}
