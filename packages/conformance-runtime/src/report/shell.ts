/** One word for a POSIX shell. What needs no quotes has none. */
export function quoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (unprintable.test(text)) return `$'${text.replaceAll(escaped, escapeOf)}'`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Text, or the name of a variable that stands for some. */
export type Part = string | { readonly variable: string };

/** One word of these parts. */
export function expanded(parts: readonly Part[]): string {
  const used = parts.filter((each) => each !== "");
  if (used.length === 0) return "''";
  const isPlain = used.every((each) => typeof each !== "string" || !special.test(each));
  if (isPlain && used.some((each) => typeof each !== "string"))
    return `"${used.map((each) => (typeof each === "string" ? each : `$${each.variable}`)).join("")}"`;
  return used.map((each) => (typeof each === "string" ? quoted(each) : `"$${each.variable}"`)).join("");
}

// What means something between double quotes, or cannot be shown.
const special = /["\\$`!\u0000-\u001f\u007f-\u009f]/;
// Line breaks may stand in quotes as they are; other control characters would be obeyed by the terminal that shows them.
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
const escaped = /[\u0000-\u001f\u007f-\u009f\\']/g;

function escapeOf(sign: string): string {
  if (sign === "\\" || sign === "'") return `\\${sign}`;
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
