import { appendSentence, describeBounds, type Json, type Schema, typedBranches } from "../../model/index.js";
import { escapeInvisible } from "../escape-invisible.js";

/** Returns the JSDoc of a value: its description, its constraints in words, and its default. */
export function describeSchema(schema: Schema): readonly string[] {
  const facts = [
    ...constraintsOf(schema),
    ...typedBranches(schema).flatMap(({ label, schema: branch }) => {
      const constraints = constraintsOf(branch);
      return constraints.length === 0 ? [] : [`${label}: ${constraints.map(uncapitalize).join(", ")}`];
    }),
    ...(schema.default === undefined ? [] : [`Default: ${formatValue(schema.default)}`]),
  ];
  const description = (schema.description ?? schema.title ?? "").trim();
  const lines = description === "" ? [] : description.split("\n");
  return [
    ...(facts.length > 0 ? appendSentence(lines, `${facts.join(". ")}.`) : lines),
    ...(schema.deprecated ? ["@deprecated"] : []),
  ];
}

/** Formats that the type says, or that no type of TypeScript distinguishes. */
const untold: ReadonlySet<string> = new Set(["binary", "int32", "int64"]);

function constraintsOf(schema: Schema): readonly string[] {
  return [
    ...describeBounds(schema),
    ...(schema.format === undefined || untold.has(schema.format) ? [] : [`Format: ${schema.format}`]),
    ...(schema.pattern === undefined || schema.pattern.length > 60
      ? []
      : [`Pattern: ${escapeInvisible(schema.pattern)}`]),
  ];
}

function uncapitalize(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function formatValue(value: Json): string {
  return typeof value === "string" ? value || '""' : JSON.stringify(value);
}
