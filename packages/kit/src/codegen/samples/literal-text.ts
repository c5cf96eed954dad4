import { isJsonArray, isJsonObject, type Json } from "../../model/index.js";
import { jsonLiteral, propertyKey, renderCode } from "../printer.js";

/** The columns of a sample: narrow pages show it without scrolling. */
const maxColumns = 64;

/** Prints a JSON value as an expression of JavaScript, with line breaks where it is long. `indent` is that of its first line. */
export function printLiteral(value: Json, indent = ""): string {
  const line = renderCode(jsonLiteral(value));
  if (line.length + indent.length <= maxColumns) return line;
  const inner = `${indent}  `;
  if (isJsonArray(value)) {
    const items = value.map((each) => `${inner}${printLiteral(each, inner)},\n`);
    return `[\n${items.join("")}${indent}]`;
  }
  if (!isJsonObject(value)) return line;
  const entries = Object.entries<Json>(value).map(
    ([key, each]) => `${inner}${renderCode(propertyKey(key))}: ${printLiteral(each, inner)},\n`,
  );
  return `{\n${entries.join("")}${indent}}`;
}
