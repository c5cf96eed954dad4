import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, join, key, literal, name, print, textOf, typeImported, type Code } from "../emit/printer.js";
import type { Api, Operation, Parameter, Shape } from "../model/api.js";
import { fieldsOf, partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { pascalCase } from "../model/names.js";
import { once } from "../model/once.js";
import { TypePrinter } from "../types/print.js";
import { isFree } from "./names.js";
import { runtime } from "./runtime.js";

/** Emits `filters.ts`: the fields by which each list can be filtered and ordered. */
export function emitFilters(api: Api): readonly TextFile[] {
  const found = filters(api);
  if (found.length === 0) return [];
  const printer = new TypePrinter(api);
  const statements = found.map((filter) => {
    const fields = filter.fields.map(
      (field) => code`readonly ${key(field.name)}: ${conditionOf(api, field, { filter, printer })};`,
    );
    const ordered = filter.ordered.map(literal);
    return code`/** The filter of \`${name(filter.operation.name)}\`. */
export type ${name(filter.called)} = ${typeImported("ListFilter", runtime)}<{\n${fields}\n}, ${ordered.length === 0 ? code`never` : join(ordered, code` | `)}>;`;
  });
  return [
    {
      path: "src/gen/filters.ts",
      text: print(
        statements,
        banner,
        found.map(({ called }) => called),
      ),
    },
  ];
}

/** Returns the type of a parameter that accepts a filter of its list, or `undefined` for any other parameter. */
export function filterType(api: Api, operation: Operation, parameter: Parameter): Code | undefined {
  const filter = filters(api).find((each) => each.operation === operation && each.parameter === parameter);
  return filter === undefined ? undefined : typeImported(filter.called, "../filters.js");
}

interface Filter {
  readonly called: string;
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
  readonly shapes: readonly Shape[];
}

export const filters: (api: Api) => readonly Filter[] = once((api) =>
  api.operations.flatMap((operation): readonly Filter[] => {
    const parameter = operation.parameters.find((each) => each.mediaType !== undefined && takesFilter(api, each.shape));
    const called = `${pascalCase(operation.name) ?? operation.name}Filter`;
    const fields = filterFields(api, operation);
    if (parameter === undefined || fields.length === 0 || !isFree(api, called)) return [];
    const ordered = fields.filter((field) => kindOf(api, field) !== "list").map((field) => field.name);
    return [{ called, operation, parameter, fields, ordered, operators: operatorsOf(api, parameter.shape) }];
  }),
);

const joiners = ["+and", "+or", "+order_by", "+order"];

function takesFilter(api: Api, shape: Shape): boolean {
  const known = new Set(partsOf(api, shape).flatMap(({ properties = [] }) => properties.map((each) => each.name)));
  return joiners.every((each) => known.has(each));
}

/** Returns the operators of field conditions: the properties in the schemas of all names that are not filter keywords. */
function operatorsOf(api: Api, shape: Shape): readonly string[] {
  const conditions = partsOf(api, shape).flatMap(({ patternProperties = {}, additionalProperties }) => [
    ...Object.values(patternProperties),
    ...(additionalProperties === undefined ? [] : [additionalProperties]),
  ]);
  const named = conditions.flatMap((each) => partsOf(api, each)).flatMap(({ properties = [] }) => properties);
  return [...new Set(named.map((each) => each.name))];
}

function filterFields(api: Api, { pagination, replies }: Operation): readonly FilterField[] {
  const reply = replies.find(({ status }) => status === 200);
  const content = reply === undefined ? undefined : jsonContent(reply.contents);
  if (pagination === undefined || content === undefined) return [];
  const found = new Map<string, Shape[]>();
  for (const { pointer, shape } of fieldsOf(api, content.shape)) {
    if (pointer[0] !== pagination.envelope.items || pointer[1] !== "*" || shape.filterable === undefined) continue;
    const field = pointer.slice(2).join(".");
    found.set(field, [...(found.get(field) ?? []), shape]);
  }
  return [...found].map(([field, shapes]) => ({ name: field, shapes }));
}

type Kind = "text" | "order" | "flag" | "list";

/** The default operators for each kind of value. */
const askable = {
  text: ["+neq", "+contains"],
  order: ["+gt", "+gte", "+lt", "+lte", "+neq"],
  flag: ["+neq"],
  list: ["+neq", "+contains"],
} satisfies Record<Kind, readonly string[]>;

function kindOf(api: Api, { shapes }: FilterField): Kind {
  const parts = shapes.flatMap((shape) => partsOf(api, shape));
  const types = new Set(parts.flatMap((part) => part.types));
  if (types.has("array")) return "list";
  if (types.has("integer") || types.has("number")) return "order";
  if (parts.some(({ format }) => format === "date-time" || format === "date")) return "order";
  return types.has("boolean") ? "flag" : "text";
}

function conditionOf(
  api: Api,
  field: FilterField,
  around: { readonly filter: Filter; readonly printer: TypePrinter },
): Code {
  const { filter, printer } = around;
  const kind = kindOf(api, field);
  const allowed = field.shapes.flatMap((shape) => shape.filterable?.operators ?? askable[kind]);
  const operators = [...new Set(allowed)].filter((each) => filter.operators.includes(each));
  const types = field.shapes.map((shape) => {
    const asked =
      kind === "list" ? (partsOf(api, shape).find(({ items }) => items !== undefined)?.items ?? shape) : shape;
    return printer.type(asked, "./types.js");
  });
  const distinct = [...new Map(types.map((type) => [textOf(type), type] as const)).values()];
  const value = join(distinct, code` | `);
  if (operators.length === 0) return value;
  return code`${typeImported("Asked", runtime)}<${value}, ${join(operators.map(literal), code` | `)}>`;
}
