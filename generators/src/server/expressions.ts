import { literal, type Code } from "../emit/printer.js";
import type { Expression } from "../model/api.js";

/** An expression as the server's runtime reads it: what it says, without the text that said it. */
export function emitExpression({ root, part, name, pointer }: Expression): Code {
  return literal({
    root,
    ...(part === undefined ? {} : { part }),
    ...(name === undefined ? {} : { name }),
    pointer,
  });
}
