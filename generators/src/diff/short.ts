const longest = 80; // characters: a longer value hides the difference

/** Formats a value for a sentence: one line, without positions and sources, cut after 80 characters. */
export function short(value: unknown): string {
  return cut(lineOf(value));
}

/** Shortens two different values so that the first difference stays visible. */
export function shortBoth(old: unknown, next: unknown): readonly [old: string, next: string] {
  const [before, after] = [lineOf(old), lineOf(next)];
  if (before.length <= longest && after.length <= longest) return [before, after];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start = same > longest / 2 ? same - kept : 0;
  const from = (line: string): string => cut(start > 0 ? `…${whole(line.slice(start))}` : line);
  return [from(before), from(after)];
}

const kept = 20; // characters before the first one that differs

/** Formats a value on one line, without positions and sources. */
export function lineOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(withoutPlaces(value));
  return text.replaceAll(/\s+/g, " ").trim();
}

function cut(line: string): string {
  return line.length <= longest ? line : `${whole(line.slice(0, longest - 1))}…`;
}

/** Removes lone surrogates from both ends. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

/** Formats the values of a list, with a separator between them. */
export function listed(values: readonly unknown[], between = ", "): string {
  return values.map((value) => (typeof value === "string" ? value : short(value))).join(between);
}

function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== "object" || value === null) return value;
  if ("text" in value && "root" in value) return value.text; // an expression prints as written
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (isSaid(key, each) ? [[key, withoutPlaces(each)] as const] : [])),
  );
}

function isSaid(key: string, value: unknown): boolean {
  if (key === "origin" || key === "sources") return false;
  return !(key === "types" && Array.isArray(value) && value.length === 0);
}
