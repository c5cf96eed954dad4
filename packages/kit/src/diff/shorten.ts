const maxValueLength = 80; // characters: a longer value hides the difference

/** Formats a value for a sentence: one line, without positions and sources, cut after 80 characters. */
export function shorten(value: unknown): string {
  return truncateLine(toLine(value));
}

/** Shortens two different values so that the first difference stays visible. */
export function shortenBoth(old: unknown, next: unknown): readonly [old: string, next: string] {
  const [before, after] = [toLine(old), toLine(next)];
  if (before.length <= maxValueLength && after.length <= maxValueLength) return [before, after];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start = same > maxValueLength / 2 ? same - contextLength : 0;
  const from = (line: string): string => truncateLine(start > 0 ? `…${trimSurrogates(line.slice(start))}` : line);
  return [from(before), from(after)];
}

const contextLength = 20; // characters before the first one that differs

/** Formats a value on one line, without positions and sources. */
export function toLine(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(withoutSources(value));
  return text.replaceAll(/\s+/g, " ").trim();
}

function truncateLine(line: string): string {
  return line.length <= maxValueLength ? line : `${trimSurrogates(line.slice(0, maxValueLength - 1))}…`;
}

/** Removes lone surrogates from both ends. */
function trimSurrogates(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

/** Formats the values of a list, with a separator between them. */
export function joinValues(values: readonly unknown[], between = ", "): string {
  return values.map((value) => (typeof value === "string" ? value : shorten(value))).join(between);
}

function withoutSources(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSources);
  if (typeof value !== "object" || value === null) return value;
  if ("text" in value && "root" in value) return value.text; // an expression prints as written
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      isPrinted(key, each) ? [[key, withoutSources(each)] as const] : [],
    ),
  );
}

function isPrinted(key: string, value: unknown): boolean {
  if (key === "origin" || key === "sources") return false;
  return !(key === "types" && Array.isArray(value) && value.length === 0);
}
