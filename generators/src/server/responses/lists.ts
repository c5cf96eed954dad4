import {
  type TextFile,
  code,
  docComment,
  propertyKey,
  jsonLiteral,
  printSourceFile,
  type Code,
} from "@plumbline/kit/codegen";
import { objectLiteral } from "@plumbline/kit/codegen/conditions";
import { type Api, collectFilterFields, type Pagination, pickDefined } from "@plumbline/kit/model";
import { serverType } from "../runtime.js";

/** Emits `lists.ts`: the fields by which lists can be filtered, and the function that creates a page. */
export function emitLists(api: Api): readonly TextFile[] {
  const all = api.operations.map((operation) => [operation.name, collectFilterFields(api, operation)] as const);
  const lists = all.filter(([, fields]) => fields.length > 0);
  const members = lists.map(([operation, fields]) => {
    const each = fields.map(({ name }) => code`readonly ${propertyKey(name)}: ${serverType("FilterField")};`);
    return code`readonly ${propertyKey(operation)}: {\n${each}\n};`;
  });
  const tables = lists.map(
    ([operation, fields]) =>
      [
        operation,
        objectLiteral(
          Object.fromEntries(
            fields.map(
              ({ name, type, operators }) =>
                [name, jsonLiteral({ type, ...pickDefined("operators", operators) })] as const,
            ),
          ),
        ),
      ] as const,
  );
  const statements = [
    code`${docComment(["The fields by which each list can be filtered and ordered. Nested fields have a path, such as `entity.id`."])}
export interface Filterable {\n${members}\n}`,
    code`export const filterable: Filterable = ${objectLiteral(Object.fromEntries(tables))};`,
    ...emitPageFunction(api),
  ];
  return [
    {
      path: "src/gen/lists.ts",
      text: printSourceFile(statements, ["Filterable", "filterable", "page"]),
    },
  ];
}

/** True if all lists have the same pagination, so that a single function can create pages. */
export function hasUniformPagination(api: Api): boolean {
  return uniformPagination(api) !== undefined;
}

function uniformPagination({ operations }: Api): Pagination | undefined {
  const all = operations.flatMap(({ pagination }) => pagination ?? []);
  const [first] = all;
  return new Set(all.map((each) => JSON.stringify(each))).size === 1 ? first : undefined;
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
