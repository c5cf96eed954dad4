import { escapeInvisible } from "../escape-invisible.js";
import { type Json, type Schema, sizeLimits, type SizeLimits } from "@plumbline/model";

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
  return [
    ...(description === "" ? [] : description.split("\n")),
    ...(facts.length > 0 ? [`${facts.join(". ")}.`] : []),
    ...(schema.deprecated ? ["@deprecated"] : []),
  ];
}

/** Returns the bounds of a value in words: characters, range and items, such as `3 to 64 characters`. */
export function describeBounds(schema: Schema): readonly string[] {
  const bounds = [
    between(sizeLimits("characters", [schema]), "character"),
    rangeOf(schema),
    between(sizeLimits("items", [schema]), "item"),
  ];
  return bounds.filter((text) => text !== undefined);
}

function rangeOf(schema: Schema): string | undefined {
  const { least, most } = sizeLimits("number", [schema]);
  const { least: above, most: below } = sizeLimits("exclusiveNumber", [schema]);
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  const low = least ?? above;
  const high = most ?? below;
  const from = low === undefined ? undefined : least === undefined ? `more than ${low}` : `at least ${low}`;
  const to = high === undefined ? undefined : most === undefined ? `less than ${high}` : `at most ${high}`;
  return capitalize([from, to].filter((text) => text !== undefined).join(", "));
}

function between({ least: min, most: max }: SizeLimits, unit: string): string | undefined {
  const of = (count: number): string => `${count} ${count === 1 ? unit : `${unit}s`}`;
  if (min === undefined || min === 0) return max === undefined ? undefined : `At most ${of(max)}`;
  if (max === undefined) return `At least ${of(min)}`;
  return min === max ? `Exactly ${of(min)}` : `${min} to ${of(max)}`;
}

function capitalize(text: string): string | undefined {
  return text === "" ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
}

function formatValue(value: Json): string {
  return typeof value === "string" ? value || '""' : JSON.stringify(value);
}
