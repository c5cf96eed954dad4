import { clientRuntime } from "../conversions/conversions.js";
import type { ConvertedScalar } from "../conversions/converter-node.js";
import { code, importType, type Code } from "../printer.js";
import { namedType, type TypeExpression } from "./typescript.js";

/** Returns the type of a converted scalar. */
export function convertedType(scalar: ConvertedScalar): TypeExpression {
  return namedType(types[scalar]());
}

/** Returns the type of values as JSON has them, for a named type whose values are converted. */
export function unconvertedType(reference: Code): TypeExpression {
  return namedType(code`${importType("UnconvertedValue", clientRuntime)}<${reference}>`);
}

const types = {
  // Qualified, because a schema may be named Date.
  Date: () => code`globalThis.Date`,
  Instant: () => importType("TemporalInstant", clientRuntime),
  PlainDate: () => importType("TemporalPlainDate", clientRuntime),
  BigInt: () => code`bigint`,
} satisfies Record<ConvertedScalar, () => Code>;
