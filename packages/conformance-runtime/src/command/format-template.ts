import type { Json, Template } from "../suite.js";

/**
 * Formats a template as JSON, with run-time values in angle brackets: `{"label": <new label>, "region": <region.id>}`. It breaks lines that
 * are longer than `width` characters.
 */
export function formatTemplate(template: Template, width: number = Number.POSITIVE_INFINITY): string {
  const flat = formatOneLine(template);
  if (
    flat.length <= width ||
    typeof template !== "object" ||
    template === null ||
    formatOperator(template) !== undefined
  )
    return flat;
  const isList = Array.isArray(template);
  const lines = isList
    ? (template as readonly Template[]).map((each) => formatTemplate(each, width - 2))
    : Object.entries(template).map(([key, value]) => `${JSON.stringify(key)}: ${formatTemplate(value, width - 2)}`);
  const inner = lines.map((each) => `  ${each.replaceAll("\n", "\n  ")}`).join(",\n");
  return isList ? `[\n${inner}\n]` : `{\n${inner}\n}`;
}

/** Formats a template inside a text, such as a path: without quotes. */
export function formatTemplateText(template: Template): string {
  return typeof template === "string" ? template : formatTemplate(template);
}

function formatOneLine(template: Template): string {
  if (typeof template !== "object" || template === null) return JSON.stringify(template);
  const value = formatOperator(template);
  if (value !== undefined) return value;
  if (Array.isArray(template)) return `[${(template as readonly Template[]).map(formatOneLine).join(", ")}]`;
  const fields = Object.entries(template).map(([key, each]) => `${JSON.stringify(key)}: ${formatOneLine(each)}`);
  return fields.length === 0 ? "{}" : `{${fields.join(", ")}}`;
}

/** Describes a template operator; undefined for plain JSON. */
function formatOperator(template: Exclude<Template, string | number | boolean | null>): string | undefined {
  const entries = Object.entries(template);
  const [key, value] = entries[0] ?? [];
  if (entries.length !== 1 || key === undefined || value === undefined || !key.startsWith("$")) return undefined;
  if (!Object.hasOwn(forms, key)) return undefined; // `$ref` of a JSON Schema
  return forms[key as keyof typeof forms](value);
}

const forms = {
  $get: (value: Json) => `<${textOf(value).replace("#/", ".").replaceAll("/", ".")}>`,
  $text: (value: Json) => `<${listOf(value).map(formatOneLine).join(" + ")}>`,
  $repeat: (value: Json) => times(value),
  $list: (value: Json) => `[${times(value)}]`,
  $unique: (value: Json) => `<new ${textOf(value)}>`,
  $time: (value: Json) =>
    value === "PT0S"
      ? "<now>"
      : `<now ${textOf(value).startsWith("-") ? "-" : "+"} ${textOf(value).replace(/^-/, "")}>`,
  $merge: (value: Json) => listOf(value).map(formatOneLine).join(" and on top "),
  $absent: () => "<absent>",
  $sum: (value: Json) => `<${listOf(value).map(formatOneLine).join(" + ")}>`,
  $count: (value: Json) => `<number of ${formatOneLine(value)}>`,
  $find: (value: Json) => {
    const [list = null, schema = null] = listOf(value);
    return `<the first of ${formatOneLine(list)} that matches ${formatOneLine(schema)}>`;
  },
  $json: (value: Json) => `<JSON text of ${formatOneLine(value)}>`,
  $index: () => "<round>",
  $literal: (value: Json) => JSON.stringify(value),
} satisfies Readonly<Record<string, (value: Json) => string>>;

function times(value: Json): string {
  const [item = null, count = null] = listOf(value);
  return `<${formatOneLine(item)} × ${formatOneLine(count)}>`;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}
