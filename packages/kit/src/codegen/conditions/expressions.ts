import type { Expression } from "../../model/index.js";
import { jsonLiteral, type Code } from "../printer.js";

/** Emits an expression as data for the server's runtime, without its text. */
export function emitExpression({ root, part, name, pointer }: Expression): Code {
  return jsonLiteral({
    root,
    ...(part === undefined ? {} : { part }),
    ...(name === undefined ? {} : { name }),
    pointer,
  });
}
