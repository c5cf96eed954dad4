import type { Json } from "../../model/index.js";
import { code, identifier, jsonLiteral, type Code } from "../printer.js";
import type { Place } from "./context.js";
import { segmentsOf } from "./document.js";

/** Adds a constant with the values of an enum, if the options ask for them: `petStatusValues` of the property `status` of `Pet`. */
export function addEnumConstant(values: readonly Json[], type: Code, { context, pointer }: Place): void {
  const isPlain = values.every((each) => typeof each === "string" || typeof each === "number");
  if (context.options.enumValues !== true || !isPlain) return;
  const name = constantName(pointer);
  if (context.enumConstants.has(name)) return;
  const constant = code`export const ${identifier(name)}: readonly (${type})[] = ${jsonLiteral(values)};`;
  context.enumConstants.set(name, constant);
}

/** The name that openapi-typescript gives it: the segments of the pointer in camel case. */
function constantName(pointer: string): string {
  const segments = segmentsOf(pointer) ?? [];
  const start = segments[0] === "components" && segments[1] === "schemas" ? segments.slice(2) : segments;
  const words = [...start, "Values"]
    .join("/")
    .split(/[^A-Za-z0-9_$]+/)
    .filter((each) => each !== "");
  const joined = words
    .map((each, index) => (index === 0 ? lowered(each) : `${each.slice(0, 1).toUpperCase()}${each.slice(1)}`))
    .join("");
  return /^[0-9]/.test(joined) ? `value${joined}` : joined;
}

function lowered(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}
