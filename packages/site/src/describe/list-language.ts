import {
  collectFilterFields,
  filterParameterName,
  hasFieldParameters,
  operatorsOfField,
  schemaParts,
  type Api,
  type FilterField,
  type FilterOperator,
  type FilterSyntax,
  type Operation,
  type Schema,
} from "@plumbline/kit/model";

/** A field of a list, with its operators as requests have them. */
export interface ListField {
  readonly name: string;
  readonly schema: Schema;
  readonly operators: string;
}

/** How requests filter and order one list. */
export interface ListLanguage {
  readonly fields: readonly ListField[];
  /** Examples: a header, or a part of the query. */
  readonly examples: readonly string[];
}

/** Describes the filter and the order of a list. */
export function describeListLanguage(api: Api, operation: Operation): ListLanguage {
  const { filter } = operation;
  const fields = collectFilterFields(api, operation);
  return {
    fields: fields.flatMap((field) => {
      const schema = field.schemas.at(-1);
      if (schema === undefined) return [];
      const operators = filter === undefined ? [] : operatorsOfField(api, field, filter);
      return [
        { name: field.name, schema, operators: operators.map((each) => spelling(filter, field, each)).join(", ") },
      ];
    }),
    examples: [...filterExamples(api, operation, fields), ...orderExamples(operation, fields)],
  };
}

function spelling(filter: FilterSyntax | undefined, { name }: FilterField, operator: FilterOperator): string {
  if (filter?.style === "query") return filterParameterName(filter, name, operator) ?? operator;
  return filter?.operators[operator] ?? operator;
}

/** The first field that equals a value, and the first that is compared with one. */
function filterExamples(api: Api, { filter }: Operation, fields: readonly FilterField[]): readonly string[] {
  if (filter === undefined) return [];
  const equal = fields.find(({ canEqual }) => canEqual);
  const compared = fields.find((field) => operatorsOfField(api, field, filter).includes("gte"));
  const conditions = [
    ...(equal === undefined ? [] : [[equal, "eq"] as const]),
    ...(compared === undefined || compared === equal ? [] : [[compared, "gte"] as const]),
  ];
  if (conditions.length === 0) return [];
  if (hasFieldParameters(filter)) {
    const texts = conditions.map(([field, operator]) => {
      const before = filter.style === "prefix" && operator !== "eq" ? filter.operators[operator] : "";
      return `${filterParameterName(filter, field.name, operator) ?? ""}=${before ?? ""}${sampleText(api, field)}`;
    });
    return [texts.join("&")];
  }
  const { in: place = "query", name = "" } = filter.parameter ?? {};
  if (filter.style === "brackets")
    return [
      conditions
        .map(([field, operator]) => {
          const key = operator === "eq" ? "" : `[${filter.operators[operator] ?? operator}]`;
          return `${name}[${field.name}]${key}=${sampleText(api, field)}`;
        })
        .join("&"),
    ];
  const values = conditions.map(([field, operator]) => {
    const value = sampleOf(api, field);
    return [field.name, operator === "eq" ? value : { [filter.operators[operator] ?? operator]: value }] as const;
  });
  return [inParameter(place, name, Object.fromEntries(values))];
}

function orderExamples({ filter, order }: Operation, fields: readonly FilterField[]): readonly string[] {
  const field = fields.find(({ type }) => type !== "array");
  if (order === undefined || field === undefined) return [];
  if (order.kind === "parameter") return [`${order.parameter}=${order.descending}${field.name}`];
  const { in: place = "query", name = "" } = filter?.parameter ?? {};
  return [inParameter(place, name, { [order.by]: field.name, [order.direction]: "desc" })];
}

function inParameter(place: "header" | "query", name: string, value: object): string {
  const text = JSON.stringify(value);
  return place === "header" ? `${name}: ${text}` : `${name}=${text}`;
}

function sampleText(api: Api, field: FilterField): string {
  return String(sampleOf(api, field));
}

/** A value that the description has for the field, or one of its type. */
function sampleOf(api: Api, { type, schemas }: FilterField): string | number | boolean {
  const parts = schemas.flatMap((schema) => schemaParts(api, schema)).flatMap((part) => [part, part.items ?? part]);
  const stated = parts.flatMap((part) => [...(part.examples ?? []), ...(part.enum ?? [])]);
  const usual = type === "number" ? 10 : type === "boolean" ? true : "text";
  return (
    stated.find((each): each is string | number | boolean => typeof each === typeof usual) ??
    (parts.some(({ format }) => format === "date-time") ? "2026-01-31T12:00:00Z" : usual)
  );
}
