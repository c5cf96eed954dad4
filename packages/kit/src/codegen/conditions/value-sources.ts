import type { ValueSource } from "../../model/index.js";
import { jsonLiteral, type Code } from "../printer.js";
import { emitExpression } from "./expressions.js";
import { objectLiteral } from "./table.js";

/** Emits the source of a value as data for a runtime. */
export function emitValueSource(source: ValueSource): Code {
  if (source.kind !== "from")
    return jsonLiteral(source.kind === "value" ? { kind: "value", value: source.value } : { kind: source.kind });
  return objectLiteral({
    kind: jsonLiteral("from"),
    from: emitExpression(source.from),
    times: source.times === undefined ? undefined : jsonLiteral(source.times),
    minus: source.minus && emitExpression(source.minus),
  });
}
