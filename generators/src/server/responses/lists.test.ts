import { buildFixtureApi } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { textOfFile } from "../generate-server.support.js";
import { emitLists } from "./lists.js";

const description = `
openapi: 3.1.0
info: {title: Pets, version: '1'}
x-lists: {pages: {page: page, size: page_size, envelope: {items: pets, page: page, pages: pages, total: total}}}
paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{name: page, in: query, schema: {type: integer}}, {name: page_size, in: query, schema: {type: integer}}]
      responses:
        '200':
          description: Pets.
          content:
            application/json:
              schema: {properties: {pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}
components:
  schemas:
    Name: {type: string}
    Pet:
      type: object
      properties:
        name: {allOf: [{$ref: '#/components/schemas/Name'}], x-filterable: true}
        age: {type: [integer, 'null'], x-filterable: {operators: [gt]}}
        tags: {type: array, items: {type: string}, x-filterable: true}
        home: {type: object, properties: {town: {type: string, x-filterable: true}}}
        secret: {type: string}
`;

test("lists have their filters and the envelope of a page", async () => {
  expect(await textOfFile(emitLists(await buildFixtureApi(description)))).toBe(`import {
  type FilterField,
  type ListQuery,
  type ListRequest,
  type ListSyntax,
  readListQuery,
} from "@plumbline/server-runtime";

/** The fields by which each list can be filtered and ordered. Nested fields have a path, such as \`entity.id\`. */
export interface Filterable {
  readonly listPets: {
    readonly name: FilterField;
    readonly age: FilterField;
    readonly tags: FilterField;
    readonly "home.town": FilterField;
  };
}

export const filterable: Filterable = {
  listPets: {
    name: { type: "string" },
    age: { type: "number", operators: ["gt"] },
    tags: { type: "array" },
    "home.town": { type: "string" },
  },
};

const usualSyntax: Omit<ListSyntax, "filterFields"> = { pages: { page: "page", size: "page_size" } };

/**
 * Returns the filter, the order and the page of a request, decoded.
 *
 * @throws the documented error for a field, an operator, a value or a cursor that the list does not have
 * @example
 * const { where, order, page } = readList("listPets", request);
 */
export function readList<Name extends keyof Filterable>(
  name: Name,
  request: ListRequest,
): ListQuery<keyof Filterable[Name] & string> {
  return readListQuery<keyof Filterable[Name] & string>(request, { ...usualSyntax, filterFields: filterable[name] });
}

/** Creates a page of a list from its items and the total count. An empty list has one page. */
export function page<Item>(
  query: { readonly page: number; readonly page_size: number },
  items: Item[],
  total: number,
): { pets: Item[]; page: number; pages: number; total: number } {
  const pages = Math.max(1, Math.ceil(total / query["page_size"]));
  return { pets: items, page: query["page"], pages: pages, total: total };
}

export { selectItems } from "@plumbline/server-runtime";`);
});

test("without pages there is nothing of the sort", async () => {
  const text = await textOfFile(emitLists(await buildFixtureApi(description.replace(/x-lists.*\n/, ""))));
  expect(text).toContain("export const filterable: Filterable = {};");
  expect(text).not.toContain("function");
});

test("lists with another syntax, or with a cursor, have their own", async () => {
  const own = "x-lists: {pages: {cursor: page, next: $response.body#/next, envelope: {items: pets}, error: no-page}}";
  const text = await textOfFile(
    emitLists(
      await buildFixtureApi(
        description.replace("      operationId: listPets", `      ${own}\n      operationId: listPets`),
      ),
    ),
  );
  expect(text).toContain('{ pages: { page: "page", isCursor: true, error: "no-page" } }');
  expect(text).not.toContain("function page");
});
