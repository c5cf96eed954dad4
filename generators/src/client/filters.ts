import {
  type TextFile,
  code,
  docComment,
  joinCode,
  propertyKey,
  jsonLiteral,
  identifier,
  printSourceFile,
  renderCode,
  importType,
  type Code,
  TypePrinter,
} from "@plumbline/kit/codegen";
import {
  type Api,
  type Operation,
  type Parameter,
  type Schema,
  collectFields,
  schemaParts,
  findJsonContent,
  pascalCase,
  memoize,
} from "@plumbline/kit/model";
import { isNameFree } from "./names.js";
import { clientRuntime } from "./runtime.js";

/** Emits `filters.ts`: the fields by which each list can be filtered and ordered. */
export function emitFilters(api: Api): readonly TextFile[] {
  const filters = listFilters(api);
  if (filters.length === 0) return [];
  const printer = new TypePrinter(api);
  const statements = filters.map((filter) => {
    const fields = filter.fields.map(
      (field) => code`readonly ${propertyKey(field.name)}: ${conditionOf(api, field, { filter, printer })};`,
    );
    const ordered = filter.ordered.map(jsonLiteral);
    const { ref } = filter.parameter.schema;
    const syntax = ref === undefined ? "" : ` \`${ref}\` describes what it means.`;
    return code`${docComment([`The filter of \`${filter.operation.name}\`.${syntax}`])}
export type ${identifier(filter.typeName)} = ${importType("ListFilter", clientRuntime)}<{\n${fields}\n}, ${ordered.length === 0 ? code`never` : joinCode(ordered, code` | `)}>;`;
  });
  return [
    {
      path: "src/gen/filters.ts",
      text: printSourceFile(
        statements,
        filters.map(({ typeName }) => typeName),
      ),
    },
  ];
}

/** Returns the type of a parameter that accepts a filter of its list, or `undefined` for any other parameter. */
export function listFilterType(api: Api, operation: Operation, parameter: Parameter): Code | undefined {
  const filter = listFilters(api).find((each) => each.operation === operation && each.parameter === parameter);
  return filter === undefined ? undefined : importType(filter.typeName, "../filters.js");
}

interface ClientFilter {
  readonly typeName: string;
  readonly operation: Operation;
  readonly parameter: Parameter;
  readonly fields: readonly FilterField[];
  /** The fields by which lists can be ordered: all that are not arrays. */
  readonly ordered: readonly string[];
  /** The operators that the schema of the parameter supports in conditions. */
  readonly operators: readonly string[];
}

interface FilterField {
  readonly name: string;
  /** One schema for each kind of item that has the field. */
  readonly schemas: readonly Schema[];
}

export const listFilters: (api: Api) => readonly ClientFilter[] = memoize((api) =>
  api.operations.flatMap((operation): readonly ClientFilter[] => {
    const parameter = operation.parameters.find(
      (each) => each.mediaType !== undefined && acceptsFilter(api, each.schema),
    );
    const called = `${pascalCase(operation.name) ?? operation.name}Filter`;
    const fields = filterFields(api, operation);
    if (parameter === undefined || fields.length === 0 || !isNameFree(api, called)) return [];
    const ordered = fields.filter((field) => kindOf(api, field) !== "list").map((field) => field.name);
    return [{ typeName: called, operation, parameter, fields, ordered, operators: operatorsOf(api, parameter.schema) }];
  }),
);

const filterKeywords = ["+and", "+or", "+order_by", "+order"];

function acceptsFilter(api: Api, schema: Schema): boolean {
  const declared = new Set(
    schemaParts(api, schema).flatMap(({ properties = [] }) => properties.map((each) => each.name)),
  );
  return filterKeywords.every((each) => declared.has(each));
}

/** Returns the operators of field conditions: the properties in the schemas of all names that are not filter keywords. */
function operatorsOf(api: Api, schema: Schema): readonly string[] {
  const conditions = schemaParts(api, schema).flatMap(({ patternProperties = {}, additionalProperties }) => [
    ...Object.values(patternProperties),
    ...(additionalProperties === undefined ? [] : [additionalProperties]),
  ]);
  const operators = conditions.flatMap((each) => schemaParts(api, each)).flatMap(({ properties = [] }) => properties);
  return [...new Set(operators.map((each) => each.name))];
}

function filterFields(api: Api, { pagination, responses }: Operation): readonly FilterField[] {
  const response = responses.find(({ status }) => status === 200);
  const content = response === undefined ? undefined : findJsonContent(response.contents);
  if (pagination === undefined || content === undefined) return [];
  const schemasByField = new Map<string, Schema[]>();
  for (const { pointer, schema } of collectFields(api, content.schema)) {
    if (pointer[0] !== pagination.envelope.items || pointer[1] !== "*" || schema.filterable === undefined) continue;
    const field = pointer.slice(2).join(".");
    schemasByField.set(field, [...(schemasByField.get(field) ?? []), schema]);
  }
  return [...schemasByField].map(([field, schemas]) => ({ name: field, schemas }));
}

type FieldKind = "text" | "order" | "flag" | "list";

/** The default operators for each kind of value. */
const defaultOperators = {
  text: ["+neq", "+contains"],
  order: ["+gt", "+gte", "+lt", "+lte", "+neq"],
  flag: ["+neq"],
  list: ["+neq", "+contains"],
} satisfies Record<FieldKind, readonly string[]>;

function kindOf(api: Api, { schemas }: FilterField): FieldKind {
  const parts = schemas.flatMap((schema) => schemaParts(api, schema));
  const types = new Set(parts.flatMap((part) => part.types));
  if (types.has("array")) return "list";
  if (types.has("integer") || types.has("number")) return "order";
  if (parts.some(({ format }) => format === "date-time" || format === "date")) return "order";
  return types.has("boolean") ? "flag" : "text";
}

function conditionOf(
  api: Api,
  field: FilterField,
  context: { readonly filter: ClientFilter; readonly printer: TypePrinter },
): Code {
  const { filter, printer } = context;
  const kind = kindOf(api, field);
  const allowed = field.schemas.flatMap((schema) => schema.filterable?.operators ?? defaultOperators[kind]);
  const operators = [...new Set(allowed)].filter((each) => filter.operators.includes(each));
  const types = field.schemas.map((schema) => {
    const operand =
      kind === "list" ? (schemaParts(api, schema).find(({ items }) => items !== undefined)?.items ?? schema) : schema;
    return printer.unconvertedType(operand, "./types.js");
  });
  const distinct = [...new Map(types.map((type) => [renderCode(type), type] as const)).values()];
  const value = joinCode(distinct, code` | `);
  if (operators.length === 0) return value;
  return code`${importType("FilterValue", clientRuntime)}<${value}, ${joinCode(operators.map(jsonLiteral), code` | `)}>`;
}
