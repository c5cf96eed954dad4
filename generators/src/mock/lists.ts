import {
  type Api,
  collectFields,
  collectFilterFields,
  type CursorPages,
  hasFieldParameters,
  type Operation,
  type Parameter,
  pickDefined,
  schemaParts,
  schemasByName,
} from "@plumbline/kit/model";
import type { MockList } from "@plumbline/server-runtime/mock";
import { successSchema } from "./expressions.js";
import { listedResources } from "./roles.js";
import { propertiesOf } from "./samples.js";

const defaultSize = 100;

/** How an operation selects the items of its list. Undefined if it returns no list of resources, and takes no page. */
export function listOf(api: Api, operation: Operation): MockList | undefined {
  if (operation.method !== "GET" && operation.method !== "HEAD") return undefined;
  const resources = listedResources(api, operation);
  const query = operation.parameters.filter(({ in: place }) => place === "query");
  const findParameter = (pattern: RegExp): Parameter | undefined => query.find(({ name }) => pattern.test(name));
  const { pagination } = operation;
  const cursor = pagination?.next === undefined ? undefined : pagination;
  const page = cursor !== undefined ? undefined : (pagination?.page ?? findParameter(/^page(_?(number|no))?$/i)?.name);
  const size = pagination?.size ?? findParameter(/^(per_?page|page_?size|limit|size)$/i)?.name;
  const offset = findParameter(/^(offset|skip)$/i)?.name;
  if (resources.length === 0 && (pagination?.page ?? page ?? size ?? offset) === undefined) return undefined;
  const sizeParameter = query.find(({ name }) => name === size);
  const stated = sizeParameter && schemaParts(api, sizeParameter.schema).find((part) => part.default !== undefined);
  const fields = collectFilterFields(api, operation);
  const filterParameters =
    operation.filter !== undefined && hasFieldParameters(operation.filter)
      ? fields.filter(({ canEqual }) => canEqual).map(({ name }) => name)
      : [];
  const envelope = envelopeOf(api, operation);
  return {
    resources,
    defaultSize: typeof stated?.default === "number" ? stated.default : defaultSize,
    ...(page === undefined ? {} : { page }),
    ...(size === undefined ? {} : { size }),
    ...(offset === undefined ? {} : { offset }),
    ...(envelope === undefined ? {} : { envelope }),
    ...(cursor === undefined ? {} : { cursor: cursorOf(api, operation, cursor) }),
    ...(fields.length === 0 ? {} : listLanguage(operation)),
    filterFields: Object.fromEntries(
      fields.map(({ name, type, operators }) => [name, { type, ...pickDefined("operators", operators) }] as const),
    ),
    queryFields: queryFields(api, query, {
      resources,
      reserved: [pagination?.page, page, size, offset, ...filterParameters],
    }),
    referring: referringFields(api, operation, resources),
  };
}

function cursorOf(
  api: Api,
  operation: Operation,
  { page, size, error, next }: CursorPages,
): NonNullable<MockList["cursor"]> {
  const pages = { page, isCursor: true, ...pickDefined("size", size), ...pickDefined("error", error) } as const;
  if (next.in === "header") return { pages, next };
  const schema = successSchema(operation);
  const field =
    schema && collectFields(api, schema).find(({ pointer }) => pointer.join("/") === next.pointer.join("/"));
  const isNullable = field && schemaParts(api, field.schema).some(({ types }) => types.includes("null"));
  return { pages, next: isNullable === true ? { ...next, isNullable } : next };
}

/** The filter and the order, with the parameter in its group of a request. */
function listLanguage({ filter, order }: Operation): Partial<Pick<MockList, "filter" | "order">> {
  const { parameter, ...syntax } = filter ?? { style: "json", operators: {} };
  const place = parameter && {
    in: parameter.in === "header" ? ("headers" as const) : parameter.in,
    name: parameter.name,
  };
  return {
    ...(filter && { filter: { ...syntax, ...pickDefined("parameter", place) } }),
    ...pickDefined("order", order),
  };
}

function envelopeOf(api: Api, operation: Operation): MockList["envelope"] {
  const { envelope } = operation.pagination ?? {};
  if (envelope?.items !== undefined) {
    const { items, page, pages, total } = envelope;
    return { items, ...pickDefined("page", page), ...pickDefined("pages", pages), ...pickDefined("total", total) };
  }
  const schema = successSchema(operation);
  const properties = schema === undefined ? [] : propertiesOf(schemaParts(api, schema));
  const items = properties.find((property) =>
    schemaParts(api, property.schema).some((part) => part.items !== undefined),
  );
  if (items === undefined) return undefined;
  const total = properties.find(({ name }) => /^(total|total_?(count|results|items)|count)$/i.test(name));
  return { items: items.name, ...(total === undefined ? {} : { total: total.name }) };
}

/** Query parameters with the name of a scalar field of every item. */
function queryFields(
  api: Api,
  query: readonly Parameter[],
  {
    resources,
    reserved,
  }: { readonly resources: readonly string[]; readonly reserved: readonly (string | undefined)[] },
): readonly string[] {
  const names = resources.map((resource) => {
    const schema = schemasByName(api).get(resource);
    return new Set(schema === undefined ? [] : propertiesOf(schemaParts(api, schema)).map(({ name }) => name));
  });
  return query.flatMap(({ name }) => (!reserved.includes(name) && names.every((each) => each.has(name)) ? [name] : []));
}

/** How items refer to the object of the path, if they are not its children. */
function referringFields(api: Api, operation: Operation, resources: readonly string[]): MockList["referring"] {
  const target = operation.parameters.findLast(
    ({ in: place, reference }) => place === "path" && reference !== undefined,
  )?.reference?.to;
  if (target === undefined) return {};
  return Object.fromEntries(
    resources.flatMap((resource) => {
      const schema = schemasByName(api).get(resource);
      const field = schema && collectFields(api, schema).find((each) => each.schema.reference?.to === target);
      if (field?.schema.reference === undefined) return [];
      const pointer = field.pointer.filter((token) => token !== "*");
      return [[resource, { pointer, by: field.schema.reference.by ?? "id" }] as const];
    }),
  );
}
