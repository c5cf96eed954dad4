import { escapeInvisible } from "../emit/escape-invisible.js";
import type { Json, Shape } from "../model/api.js";

/** Returns the JSDoc of a value: its description, its constraints in words, and its default. */
export function describeShape(shape: Shape): readonly string[] {
  const bounds = [lengthOf(shape), rangeOf(shape), itemsOf(shape)].filter((text) => text !== undefined);
  const facts = [
    ...bounds,
    ...(shape.format === undefined || shape.format === "binary" ? [] : [`Format: ${shape.format}`]),
    ...(shape.pattern === undefined || shape.pattern.length > 60 ? [] : [`Pattern: ${escapeInvisible(shape.pattern)}`]),
    ...(shape.default === undefined ? [] : [`Default: ${show(shape.default)}`]),
  ];
  const description = (shape.description ?? shape.title ?? "").trim();
  return [
    ...(description === "" ? [] : description.split("\n")),
    ...(facts.length > 0 ? [`${facts.join(". ")}.`] : []),
    ...(shape.deprecated ? ["@deprecated"] : []),
  ];
}

function lengthOf({ minLength, maxLength }: Shape): string | undefined {
  return between(minLength, maxLength, "character");
}

function itemsOf({ minItems, maxItems }: Shape): string | undefined {
  return between(minItems, maxItems, "item");
}

function rangeOf(shape: Shape): string | undefined {
  const low = shape.minimum ?? shape.exclusiveMinimum;
  const high = shape.maximum ?? shape.exclusiveMaximum;
  const from = low === undefined ? undefined : shape.minimum === undefined ? `more than ${low}` : `at least ${low}`;
  const to = high === undefined ? undefined : shape.maximum === undefined ? `less than ${high}` : `at most ${high}`;
  if (shape.minimum !== undefined && shape.maximum !== undefined) return `${shape.minimum} to ${shape.maximum}`;
  return capitalised([from, to].filter((text) => text !== undefined).join(", "));
}

function between(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const of = (count: number): string => `${count} ${count === 1 ? unit : `${unit}s`}`;
  if (min === undefined || min === 0) return max === undefined ? undefined : `At most ${of(max)}`;
  if (max === undefined) return `At least ${of(min)}`;
  return min === max ? `Exactly ${of(min)}` : `${min} to ${of(max)}`;
}

function capitalised(text: string): string | undefined {
  return text === "" ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
}

function show(value: Json): string {
  return typeof value === "string" ? value || '""' : JSON.stringify(value);
}
