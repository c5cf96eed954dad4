import {
  type TextFile,
  code,
  docComment,
  identifier,
  joinCode,
  jsonLiteral,
  propertyKey,
  printSourceFile,
  renderCode,
  type Code,
} from "@plumbline/kit/codegen";
import { objectLiteral } from "@plumbline/kit/codegen/conditions";
import { serverRuntime } from "@plumbline/kit/codegen/validation";
import { type Api, collectFilterFields, type NumberedPages, type Operation, pickDefined } from "@plumbline/kit/model";
import { serverFunction, serverType } from "../runtime.js";

/** Emits `lists.ts`: the fields by which lists can be filtered, the function that reads requests, and the one that creates a page. */
export function emitLists(api: Api): readonly TextFile[] {
  const lists = listsOf(api);
  const members = lists.map((operation) => {
    const fields = collectFilterFields(api, operation);
    const each = fields.map(({ name }) => code`readonly ${propertyKey(name)}: ${serverType("FilterField")};`);
    const type = fields.length === 0 ? code`Record<never, ${serverType("FilterField")}>` : code`{\n${each}\n}`;
    return code`readonly ${propertyKey(operation.name)}: ${type};`;
  });
  const tables = lists.map((operation) => {
    const fields = collectFilterFields(api, operation).map(
      ({ name, type, operators }) => [name, jsonLiteral({ type, ...pickDefined("operators", operators) })] as const,
    );
    return [operation.name, objectLiteral(Object.fromEntries(fields))] as const;
  });
  const statements = [
    code`${docComment(["The fields by which each list can be filtered and ordered. Nested fields have a path, such as `entity.id`."])}
export interface Filterable {\n${members}\n}`,
    code`export const filterable: Filterable = ${objectLiteral(Object.fromEntries(tables))};`,
    ...emitReadFunction(lists),
    ...emitPageFunction(api),
    ...(lists.length === 0
      ? []
      : [
          code`export { ${joinCode(itemFunctions(api).map(identifier), code`, `)} } from ${jsonLiteral(serverRuntime)};`,
        ]),
  ];
  return [
    {
      path: "src/gen/lists.ts",
      text: printSourceFile(statements, ["Filterable", "filterable", "readList", "page"]),
    },
  ];
}

/** The names of the functions of `lists.ts`. */
export function listFunctions(api: Api): readonly string[] {
  return [
    ...(listsOf(api).length > 0 ? ["readList", ...itemFunctions(api)] : []),
    ...(uniformPagination(api) === undefined ? [] : ["page"]),
  ];
}

/** The names of the functions that do the same with items in memory. */
function itemFunctions(api: Api): readonly string[] {
  return hasCursors(api) ? ["cursorPage", "selectItems"] : ["selectItems"];
}

/** True if a list of the API has cursors. */
export function hasCursors(api: Api): boolean {
  return api.operations.some(({ pagination }) => pagination?.next !== undefined);
}

function listsOf(api: Api): readonly Operation[] {
  return api.operations.filter(
    (operation) => operation.pagination !== undefined || collectFilterFields(api, operation).length > 0,
  );
}

/** Most lists of an API have one syntax: only those that differ are listed. */
function emitReadFunction(lists: readonly Operation[]): readonly Code[] {
  const texts = lists.map((list) => renderCode(syntaxOf(list)));
  const countOf = (text: string): number => texts.filter((each) => each === text).length;
  const [usual] = texts.toSorted((a, b) => countOf(b) - countOf(a));
  const common = lists.find((_, index) => texts[index] === usual);
  if (common === undefined) return [];
  const others = lists.filter((_, index) => texts[index] !== usual);
  const syntaxType = code`Omit<${serverType("ListSyntax")}, "filterFields">`;
  const different = Object.fromEntries(others.map((each) => [each.name, syntaxOf(each)] as const));
  const syntax = others.length === 0 ? code`usualSyntax` : code`(otherSyntaxes[name] ?? usualSyntax)`;
  return [
    code`const usualSyntax: ${syntaxType} = ${syntaxOf(common)};`,
    ...(others.length === 0
      ? []
      : [
          code`const otherSyntaxes: { readonly [Name in keyof Filterable]?: ${syntaxType} } = ${objectLiteral(different)};`,
        ]),
    code`${docComment([
      "Returns the filter, the order and the page of a request, decoded.",
      "",
      "@throws the documented error for a field, an operator, a value or a cursor that the list does not have",
      "@example",
      `const { where, order, page } = readList("${common.name}", request);`,
    ])}
export function readList<Name extends keyof Filterable>(
  name: Name,
  request: ${serverType("ListRequest")},
): ${serverType("ListQuery")}<keyof Filterable[Name] & string> {
  return ${serverFunction("readListQuery")}<keyof Filterable[Name] & string>(request, { ...${syntax}, filterFields: filterable[name] });
}`,
  ];
}

/** The syntax as the runtime reads it, with the parameter of the filter in its group of a request. */
function syntaxOf({ filter, order, pagination }: Operation): Code {
  const { parameter, ...syntax } = filter ?? {};
  const where = parameter && { in: parameter.in === "header" ? "headers" : "query", name: parameter.name };
  const { page = "", size, next, error } = pagination ?? {};
  const pages = pagination && {
    page,
    ...pickDefined("size", size),
    ...pickDefined("isCursor", next === undefined ? undefined : true),
    ...pickDefined("error", error),
  };
  return jsonLiteral({
    ...pickDefined("filter", filter && { ...syntax, ...pickDefined("parameter", where) }),
    ...pickDefined("order", order),
    ...pickDefined("pages", pages),
  });
}

function uniformPagination({ operations }: Api): NumberedPages | undefined {
  const all = operations.flatMap(({ pagination }) => pagination ?? []);
  const [first] = all;
  const isUniform = new Set(all.map((each) => JSON.stringify(each))).size === 1;
  return isUniform && first?.next === undefined ? first : undefined;
}

function emitPageFunction(api: Api): readonly Code[] {
  const pages = uniformPagination(api);
  if (pages === undefined) return [];
  const { page, size, envelope } = pages;
  return [
    code`${docComment(["Creates a page of a list from its items and the total count. An empty list has one page."])}
export function page<Item>(
  query: { readonly ${propertyKey(page)}: number; readonly ${propertyKey(size)}: number },
  items: Item[],
  total: number,
): { ${propertyKey(envelope.items)}: Item[]; ${propertyKey(envelope.page)}: number; ${propertyKey(envelope.pages)}: number; ${propertyKey(envelope.total)}: number } {
  const pages = Math.max(1, Math.ceil(total / query[${jsonLiteral(size)}]));
  return { ${propertyKey(envelope.items)}: items, ${propertyKey(envelope.page)}: query[${jsonLiteral(page)}], ${propertyKey(envelope.pages)}: pages, ${propertyKey(envelope.total)}: total };
}`,
  ];
}
