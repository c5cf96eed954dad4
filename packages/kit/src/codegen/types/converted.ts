import type { ConversionOptions } from "../conversions/conversions.js";
import type { ConvertedScalar } from "../conversions/converter-node.js";
import { code, importType, type Code } from "../printer.js";
import { namedType, type TypeExpression } from "./typescript.js";

/** Returns the type of a converted scalar. */
export function convertedType(scalar: ConvertedScalar, { runtime }: ConversionOptions): TypeExpression {
  return namedType(types[scalar](runtime));
}

/** Returns the type of values as JSON has them, for a named type whose values are converted. */
export function unconvertedType(reference: Code, { runtime }: ConversionOptions): TypeExpression {
  return namedType(code`${importType("UnconvertedValue", runtime)}<${reference}>`);
}

const types = {
  // Qualified, because a schema may be named Date.
  Date: () => code`globalThis.Date`,
  Instant: (runtime) => importType("TemporalInstant", runtime),
  PlainDate: (runtime) => importType("TemporalPlainDate", runtime),
  BigInt: () => code`bigint`,
} satisfies Record<ConvertedScalar, (runtime: string) => Code>;
