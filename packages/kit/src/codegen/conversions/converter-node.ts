/** Says where values of a schema have dates and 64-bit integers, as data. */
export type ConverterNode =
  | { readonly kind: "scalar"; readonly scalar: ConvertedScalar }
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "fields"; readonly fields: readonly (readonly [name: string, of: ConverterNode])[] }
  | { readonly kind: "map" | "items" | "lenient"; readonly of: ConverterNode }
  | { readonly kind: "prefix"; readonly of: readonly (ConverterNode | null)[]; readonly rest: ConverterNode | null }
  | { readonly kind: "all"; readonly of: readonly ConverterNode[] }
  | {
      readonly kind: "tag";
      readonly tag: string;
      readonly variants: readonly (readonly [value: string, of: ConverterNode])[];
    };

/** A scalar whose value is another one than JSON's. */
export type ConvertedScalar = "Date" | "Instant" | "PlainDate" | "BigInt";

/** Combines converters that all apply. Each leaves values of other types unchanged. */
export function allOf(nodes: readonly (ConverterNode | undefined)[]): ConverterNode | undefined {
  const flat = nodes.flatMap((each) => (each === undefined ? [] : each.kind === "all" ? each.of : [each]));
  const distinct = [...new Map(flat.map((each) => [keyOf(each), each] as const)).values()];
  return distinct.length > 1 ? { kind: "all", of: distinct } : distinct[0];
}

/** A text that is equal for equal converters. */
export function keyOf(node: ConverterNode | undefined): string {
  return node === undefined ? "" : JSON.stringify(node);
}
