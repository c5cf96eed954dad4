import { escapeInvisible } from "../escape-invisible.js";
import { appendSentence, describeBounds, type Json, type Schema } from "@plumbline/model";

/** Returns the JSDoc of a value: its description, its constraints in words, and its default. */
export function describeSchema(schema: Schema): readonly string[] {
  const facts = [
    ...describeBounds(schema),
    ...(schema.format === undefined || schema.format === "binary" ? [] : [`Format: ${schema.format}`]),
    ...(schema.pattern === undefined || schema.pattern.length > 60
      ? []
      : [`Pattern: ${escapeInvisible(schema.pattern)}`]),
    ...(schema.default === undefined ? [] : [`Default: ${formatValue(schema.default)}`]),
  ];
  const description = (schema.description ?? schema.title ?? "").trim();
  const lines = description === "" ? [] : description.split("\n");
  return [
    ...(facts.length > 0 ? appendSentence(lines, `${facts.join(". ")}.`) : lines),
    ...(schema.deprecated ? ["@deprecated"] : []),
  ];
}

function formatValue(value: Json): string {
  return typeof value === "string" ? value || '""' : JSON.stringify(value);
}
