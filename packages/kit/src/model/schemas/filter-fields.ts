import type { Api, JsonType, Operation, Schema } from "../api.js";
import { findJsonContent } from "../media.js";
import { collectFields, schemaParts } from "./schema-fields.js";

/** A field by which a list can be filtered and ordered. */
export interface FilterField {
  /** The path of the field, such as `entity.id`. */
  readonly name: string;
  /** Its type in filters. An array matches if one of its items does. */
  readonly type: Exclude<JsonType, "integer" | "null">;
  /** Absent: every operator that the type allows. */
  readonly operators?: readonly string[];
}

/** Returns the fields by which the list of an operation can be filtered, each once. */
export function collectFilterFields(
  api: Api,
  { pagination, responses }: Pick<Operation, "pagination" | "responses">,
): readonly FilterField[] {
  const response = responses.find(({ status }) => status === 200);
  const content = response === undefined ? undefined : findJsonContent(response.contents);
  if (pagination === undefined || content === undefined) return [];
  const fields = collectFields(api, content.schema).filter(
    ({ pointer, schema }) => pointer[0] === pagination.envelope.items && pointer[1] === "*" && schema.filterable,
  );
  const entries = fields.map(({ pointer, schema }): readonly [string, FilterField] => {
    const name = pointer.slice(2).join(".");
    const { operators } = schema.filterable ?? {};
    return [name, { name, type: typeOf(api, schema), ...(operators === undefined ? {} : { operators }) }];
  });
  return [...new Map(entries).values()];
}

function typeOf(api: Api, schema: Schema): FilterField["type"] {
  const types = schemaParts(api, schema).flatMap((part) => part.types);
  const only = types.find((type) => type !== "null") ?? "string";
  return only === "integer" ? "number" : only;
}
