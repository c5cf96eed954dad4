import type { Api, Schema } from "@plumbline/kit/model";

/** Compares schemas without annotations. A schema of requests is the same as that of responses from which it is derived. */
export function schemaComparison({ schemas }: Api): (a: Schema, b: Schema) => boolean {
  const derived = new Map(schemas.flatMap(({ name, variantOf }) => (variantOf ? [[name, variantOf.name]] : [])));
  const textOf = (schema: Schema): string =>
    JSON.stringify(schema, (key, value: unknown) => {
      if (["origin", "examples", "description", "readOnly", "writeOnly"].includes(key)) return undefined;
      return key === "ref" ? (derived.get(String(value)) ?? value) : value;
    });
  return (a, b) => textOf(a) === textOf(b);
}
