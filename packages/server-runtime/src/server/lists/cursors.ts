import { isObject } from "../../http/index.js";
import type { CursorPosition } from "./list-syntax.js";

/** Returns the cursor of a position: letters, digits, `-` and `_`, which clients send back as they are. */
export function encodeCursor({ value, key }: CursorPosition): string {
  const text = encodeURIComponent(JSON.stringify({ value: value ?? null, key }));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the position of a cursor, or `undefined` for what `encodeCursor` does not return. */
export function decodeCursor(cursor: unknown): CursorPosition | undefined {
  if (typeof cursor !== "string") return undefined;
  try {
    const text = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    const position: unknown = JSON.parse(decodeURIComponent(text));
    if (!isObject(position) || Object.keys(position).join() !== "value,key") return undefined;
    const { value, key } = position;
    return typeof key === "string" || typeof key === "number" ? { value, key } : undefined;
  } catch {
    return undefined;
  }
}
