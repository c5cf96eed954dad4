import type { Api, FilterOperator, FilterSyntax, JsonType, Operation, Parameter, Schema } from "../api.js";
import { findJsonContent } from "../media.js";
import { collectFields, schemaParts } from "./schema-fields.js";

/** A field by which a list can be filtered and ordered. */
export interface FilterField {
  /** The path of the field, such as `entity.id`. */
  readonly name: string;
  /** Its type in filters. An array matches if one of its items does. */
  readonly type: Exclude<JsonType, "integer" | "null">;
  /** Absent: every operator that the type allows. */
  readonly operators?: readonly FilterOperator[];
  /** One schema for each kind of item that has the field. */
  readonly schemas: readonly Schema[];
  /** False where the style `query` or `prefix` has no parameter with the name of the field. */
  readonly canEqual: boolean;
}

/** Every operator of filters, in the order of documents. */
export const filterOperators: readonly FilterOperator[] = ["gt", "gte", "lt", "lte", "ne", "contains"];

type FilteredOperation = Pick<Operation, "pagination" | "filter" | "order" | "responses" | "parameters">;

/**
 * Returns the fields by which the list of an operation can be filtered and ordered, each once. If each
 * field has its own parameters, a list without an order has only those with a parameter.
 */
export function collectFilterFields(api: Api, operation: FilteredOperation): readonly FilterField[] {
  const { pagination, filter, order, responses } = operation;
  const response = responses.find(({ status }) => status === 200);
  const content = response === undefined ? undefined : findJsonContent(response.contents);
  if ((pagination ?? filter ?? order) === undefined || content === undefined) return [];
  // Without pages, the response is the array of the items.
  const items = pagination?.envelope.items;
  const start = items === undefined ? ["*"] : [items, "*"];
  const schemasByName = new Map<string, readonly Schema[]>();
  for (const { pointer, schema } of collectFields(api, content.schema)) {
    if (schema.filterable === undefined || !start.every((token, index) => pointer[index] === token)) continue;
    const name = pointer.slice(start.length).join(".");
    schemasByName.set(name, [...(schemasByName.get(name) ?? []), schema]);
  }
  return [...schemasByName].flatMap(([name, schemas]) => {
    const stated = schemas.at(-1)?.filterable?.operators;
    const field: FilterField = {
      name,
      type: typeOf(api, schemas.slice(-1)),
      ...(stated === undefined ? {} : { operators: stated }),
      schemas,
      canEqual: true,
    };
    return filter !== undefined && hasFieldParameters(filter)
      ? declaredField(api, field, { ...operation, filter })
      : [field];
  });
}

/** The operators of a field that requests can write: those that it states, or those of its type. */
export function operatorsOfField(api: Api, field: FilterField, syntax: FilterSyntax): readonly FilterOperator[] {
  const stated = new Set(
    field.operators === undefined || field.schemas.length > 1
      ? field.schemas.flatMap(({ filterable }) => filterable?.operators ?? usualOperators(api, field))
      : field.operators,
  );
  return filterOperators.filter((each) => stated.has(each) && syntax.operators[each] !== undefined);
}

/** Whether fields have their own parameters, in the style `query` or `prefix`. */
export function hasFieldParameters({ style }: FilterSyntax): boolean {
  return style === "query" || style === "prefix";
}

/** The name of the parameter with a condition in the style `query` or `prefix`. */
export function filterParameterName(
  { style, operators }: FilterSyntax,
  field: string,
  operator: FilterOperator | "eq",
): string | undefined {
  if (operator === "eq" || style === "prefix") return field;
  const suffix = operators[operator];
  return suffix === undefined ? undefined : `${field}${suffix}`;
}

function declaredField(
  api: Api,
  field: FilterField,
  { parameters, filter, order }: FilteredOperation & { readonly filter: FilterSyntax },
): readonly FilterField[] {
  const find = (operator: FilterOperator | "eq"): Parameter | undefined =>
    parameters.find((each) => each.in === "query" && each.name === filterParameterName(filter, field.name, operator));
  const equal = find("eq");
  const operators = filterOperators.filter((each) => find(each) && (field.operators?.includes(each) ?? true));
  if (equal === undefined && operators.length === 0 && order === undefined) return [];
  if (filter.style === "prefix" && equal !== undefined && acceptsText(api, equal.schema)) return [field];
  return [{ ...field, operators: filter.style === "prefix" ? [] : operators, canEqual: equal !== undefined }];
}

/** Whether a value may have an operator before it. */
function acceptsText(api: Api, schema: Schema): boolean {
  const parts = schemaParts(api, schema).flatMap((part) =>
    part.items === undefined ? [part] : schemaParts(api, part.items),
  );
  return parts.every((part) => part.enum === undefined && (part.types.length === 0 || part.types.includes("string")));
}

/** Texts are searched, numbers and times are compared. */
function usualOperators(api: Api, { type, schemas }: FilterField): readonly FilterOperator[] {
  const parts = schemas.flatMap((schema) => schemaParts(api, schema));
  const isTime = parts.some(({ format }) => format === "date-time" || format === "date");
  if (type === "number" || (type !== "array" && isTime)) return ["gt", "gte", "lt", "lte", "ne"];
  return type === "boolean" ? ["ne"] : ["ne", "contains"];
}

function typeOf(api: Api, schemas: readonly Schema[]): FilterField["type"] {
  const types = schemas.flatMap((schema) => schemaParts(api, schema)).flatMap((part) => part.types);
  const only = types.find((type) => type !== "null") ?? "string";
  return only === "integer" ? "number" : only;
}
