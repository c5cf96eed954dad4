/** Quotes a word for a POSIX shell, if it needs quotes. */
export function quoteShellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (unprintable.test(text)) return `$'${text.replaceAll(escaped, escapeOf)}'`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Text, or the name of a shell variable. */
export type ShellPart = string | { readonly variable: string };

/** Quotes parts as one word. */
export function quoteShellParts(parts: readonly ShellPart[]): string {
  const used = parts.filter((each) => each !== "");
  if (used.length === 0) return "''";
  const isPlain = used.every((each) => typeof each !== "string" || !special.test(each));
  if (isPlain && used.some((each) => typeof each !== "string"))
    return `"${used.map((each) => (typeof each === "string" ? each : `$${each.variable}`)).join("")}"`;
  return used.map((each) => (typeof each === "string" ? quoteShellWord(each) : `"$${each.variable}"`)).join("");
}

// Characters that are special in double quotes, or not printable.
const special = /["\\$`!\u0000-\u001f\u007f-\u009f]/;
// Line breaks are allowed in quotes; a terminal would execute other control characters.
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
const escaped = /[\u0000-\u001f\u007f-\u009f\\']/g;

function escapeOf(sign: string): string {
  if (sign === "\\" || sign === "'") return `\\${sign}`;
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
