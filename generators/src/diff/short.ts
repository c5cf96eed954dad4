const longest = 80; // characters: more of a value hides what differs rather than showing it

/** A value as a sentence can hold it: on one line, without the places that it comes from, cut where it is long. */
export function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(withoutPlaces(value));
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= longest ? line : `${[...line].slice(0, longest - 1).join("")}…`;
}

/** Every value of a list, one after the other. */
export function listed(values: readonly unknown[], between = ", "): string {
  return values.map((value) => (typeof value === "string" ? value : short(value))).join(between);
}

function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== "object" || value === null) return value;
  if ("text" in value && "root" in value) return value.text; // an expression is what was written
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (isSaid(key, each) ? [[key, withoutPlaces(each)] as const] : [])),
  );
}

function isSaid(key: string, value: unknown): boolean {
  if (key === "origin" || key === "sources") return false;
  return !(key === "types" && Array.isArray(value) && value.length === 0);
}
