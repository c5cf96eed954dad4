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
  type FilterField,
  type FilterSyntax,
  type Operation,
  type Parameter,
  collectFilterFields,
  operatorsOfField,
  schemaParts,
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
    const { ref } = filter.parameter.schema;
    const syntax = ref === undefined ? "" : ` \`${ref}\` describes what it means.`;
    return code`${docComment([`The filter of \`${filter.operation.name}\`.${syntax}`])}
export type ${identifier(filter.typeName)} = ${filterType(api, filter, printer)};`;
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
  readonly syntax: FilterSyntax;
  readonly parameter: Parameter;
  readonly fields: readonly FilterField[];
  /** The fields by which lists can be ordered: all that are not arrays. */
  readonly ordered: readonly string[];
}

/** The filters in one parameter. In the style `query`, the types of the parameters are enough. */
export const listFilters: (api: Api) => readonly ClientFilter[] = memoize((api) =>
  api.operations.flatMap((operation): readonly ClientFilter[] => {
    const { filter: syntax, parameters } = operation;
    const parameter = parameters.find(
      (each) => each.in === syntax?.parameter?.in && each.name === syntax.parameter.name,
    );
    const called = `${pascalCase(operation.name) ?? operation.name}Filter`;
    const fields = collectFilterFields(api, operation);
    if (syntax === undefined || parameter === undefined || fields.length === 0 || !isNameFree(api, called)) return [];
    const ordered = fields.filter(({ type }) => type !== "array").map(({ name }) => name);
    return [{ typeName: called, operation, syntax, parameter, fields, ordered }];
  }),
);

function filterType(api: Api, filter: ClientFilter, printer: TypePrinter): Code {
  const { operation, syntax, fields, ordered } = filter;
  const members = fields.map(
    (field) => code`readonly ${propertyKey(field.name)}: ${conditionOf(api, field, { syntax, printer })};`,
  );
  const joins = [syntax.all, syntax.any].flatMap((each) => (each === undefined ? [] : [jsonLiteral(each)]));
  const more = joins.length === 0 ? code`` : code`, ${joinCode(joins, code` | `)}`;
  const list = code`${importType("ListFilter", clientRuntime)}<{\n${members}\n}${more}>`;
  const { order } = operation;
  if (order?.kind !== "filter") return list;
  const by = ordered.length === 0 ? code`never` : joinCode(ordered.map(jsonLiteral), code` | `);
  return code`${list} & ${importType("FilterOrder", clientRuntime)}<${jsonLiteral(order.by)}, ${jsonLiteral(order.direction)}, ${by}>`;
}

function conditionOf(
  api: Api,
  field: FilterField,
  { syntax, printer }: { readonly syntax: FilterSyntax; readonly printer: TypePrinter },
): Code {
  const operators = operatorsOfField(api, field, syntax);
  const types = field.schemas.map((schema) => {
    const operand =
      field.type === "array"
        ? (schemaParts(api, schema).find(({ items }) => items !== undefined)?.items ?? schema)
        : schema;
    return printer.unconvertedType(operand, "./types.js");
  });
  const distinct = [...new Map(types.map((type) => [renderCode(type), type] as const)).values()];
  const value = joinCode(distinct, code` | `);
  if (operators.length === 0) return value;
  const spellings = operators.map((each) => code`${propertyKey(each)}: ${jsonLiteral(syntax.operators[each] ?? "")}`);
  return code`${importType("FilterValue", clientRuntime)}<${value}, { ${joinCode(spellings, code`; `)} }>`;
}
