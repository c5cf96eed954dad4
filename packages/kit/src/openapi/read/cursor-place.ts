import type { CursorPlace } from "../../model/index.js";
import { parseExpression } from "./expression.js";

/** Reads `$response.body#/next` or `$response.header.X-Next`. Returns `undefined` for any other text. */
export function readCursorPlace(text: string): CursorPlace | undefined {
  const name = /^\$response\.header\.([\w-]+)$/.exec(text)?.[1];
  if (name !== undefined) return { in: "header", name };
  const expression = parseExpression(text);
  if (expression?.root !== "response" || expression.pointer.length === 0) return undefined;
  return { in: "body", pointer: expression.pointer };
}
