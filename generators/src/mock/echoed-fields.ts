import { type Api, findJsonContent, type Operation, type Schema, schemaParts } from "@plumbline/kit/model";
import type { BodyShape } from "@plumbline/server-runtime/mock";
import { propertiesOf } from "./samples.js";
import { schemaComparison } from "./schema-comparison.js";

/**
 * Adds what a client has sent to a response that no resource explains: fields that the request body has under the same name and with the same
 * schema, or the complete body if both have the same schema.
 */
export function withEchoedFields(
  api: Api,
  { requestBody }: Operation,
  { shape, schema }: { readonly shape: BodyShape; readonly schema: Schema },
): BodyShape {
  const sent = requestBody && findJsonContent(requestBody.contents)?.schema;
  if (shape.kind !== "value" || sent === undefined) return shape;
  const isSame = schemaComparison(api);
  const fields = new Map(propertiesOf(schemaParts(api, sent)).map((each) => [each.name, each.schema] as const));
  const echoed = propertiesOf(schemaParts(api, schema)).flatMap((property) => {
    const field = fields.get(property.name);
    return field !== undefined && isSame(field, property.schema) ? [property.name] : [];
  });
  return {
    ...shape,
    ...(isSame(sent, schema) ? { isEcho: true } : {}),
    ...(echoed.length > 0 ? { echoed } : {}),
  };
}
