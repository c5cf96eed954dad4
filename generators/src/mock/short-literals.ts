import { type Code, jsonLiteral } from "@plumbline/kit/codegen";
import { listLiteral } from "@plumbline/kit/codegen/conditions";
import type { Json } from "@plumbline/kit/model";

/** Prints a list. Undefined for an empty one. */
export function someItems(items: readonly Code[]): Code | undefined {
  return items.length === 0 ? undefined : listLiteral(items);
}

/** Prints a list. One item stands for a list of it. */
export function oneOrMore(items: readonly Code[]): Code {
  const [only] = items;
  return items.length === 1 && only !== undefined ? only : listLiteral(items);
}

/** Prints a list or an object. Undefined for an empty one. */
export function someJson(value: object): Code | undefined {
  return Object.keys(value).length === 0 ? undefined : jsonLiteral(plainJson(value));
}

/** The value without absent members. */
export function plainJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** The text of a JSON pointer. */
export function pointerText(pointer: readonly string[]): string {
  return pointer.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
