import { expect, test } from "vitest";
import { generateSite } from "../readme.support.js";

const description = `openapi: 3.1.0
info: {title: Fields, version: 1.0.0}
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {filterField: {type: string}}}}
      responses:
        '200':
          description: All.
          content:
            application/json:
              schema:
                allOf:
                  - {$ref: '#/components/schemas/Page'}
                  - {type: object, properties: {data: {type: array, items: {$ref: '#/components/schemas/Thing'}}, links: {type: object, properties: {next: {type: string}}}}}
        default: {description: No., content: {application/json: {schema: {$ref: '#/components/schemas/Errors'}}}}
components:
  schemas:
    Page: {type: object, properties: {data: {type: array, items: {type: object}}, links: {type: object}}}
    Errors: {type: array, items: {type: object, properties: {reason: {type: string}}}}
    Thing:
      type: object
      properties:
        deep: {type: object, properties: {a: {type: object, properties: {b: {type: object, properties: {c: {type: object, properties: {d: {type: object, properties: {e: {type: string}}}}}}}}}}}
        list: {type: array, items: {oneOf: [{title: Card, properties: {cardField: {type: string}}}, {properties: {bank: {anyOf: [{properties: {iban: {type: string}}}, {type: string}]}}}]}}
        map: {type: object, properties: {fixed: {type: string}}, patternProperties: {'^x-': {type: object, properties: {pattern: {type: string}}}}, additionalProperties: {type: object, properties: {other: {type: string}}}}
        tuple: {type: array, prefixItems: [{type: string}, {type: object, properties: {tupleField: {type: string}}}], items: {type: object, properties: {restField: {type: string}}}}
        loop: {allOf: [{$ref: '#/components/schemas/Thing'}, {type: object, properties: {more: {type: string}}}]}
      dependentSchemas: {list: {properties: {count: {type: integer}}}}
      if: {required: [map]}
      then: {properties: {mapped: {type: boolean}}}
`;

test("a page has every field of its description", async () => {
  const pages = await generateSite(description);
  expect(fieldsOf(pages["schemas/Thing.html"])).toEqual([
    "deep object",
    "a object",
    "b object",
    "c object",
    "d object",
    "e string",
    "list array of object",
    "| Card",
    "cardField string",
    "| object with bank",
    "bank object or string",
    "| object with iban",
    "iban string",
    "| string",
    "map object",
    "fixed string",
    "^x- object",
    "pattern string",
    "* object",
    "other string",
    "tuple [string, object]",
    "[0] string",
    "[1] object",
    "tupleField string",
    "[2, …] object",
    "restField string",
    "loop Thing",
    "more string",
    "| With list",
    "count integer",
    "| In some cases",
    "mapped boolean",
  ]);
  expect(fieldsOf(pages["operations/listThings.html"])).toEqual([
    "filter object",
    "filterField string",
    "data array of Thing",
    "links object",
    "next string",
  ]);
  expect(fieldsOf(pages["schemas/Errors.html"])).toEqual(["reason string"]);
});

test("bounds are shown beside null and in the branches of a union", async () => {
  const optional = "{anyOf: [{type: integer, maximum: 7}, {type: 'null'}]}";
  const price = "{anyOf: [{type: number, exclusiveMinimum: 0}, {type: string, enum: [free]}]}";
  const pages = await generateSite(
    description
      .replace("{name: filter, in: query,", `{name: page, in: query, schema: ${optional}}\n        - $&`)
      .replace("deep: {", `optional: ${optional}\n        price: ${price}\n        $&`),
  );
  const text = (page = ""): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(text(pages["schemas/Thing.html"])).toMatch(
    /optional .*At most 7.* price .*As a number: More than 0.*As a string: One of free/,
  );
  expect(text(pages["operations/listThings.html"])).toMatch(/page .*At most 7/);
});

/** The names and types of fields, and the labels of alternatives, in the order of the page. */
function fieldsOf(page = ""): readonly string[] {
  const found = page.matchAll(
    /class="field-name.*?<code>(.*?)<\/code><\/a> <span class="type">(.*?)<\/span>|class="inner alternative"><summary>(.*?)<\/summary>/g,
  );
  return [...found].map(([, name, type = "", label]) =>
    (label === undefined ? `${name} ${type}` : `| ${label}`).replaceAll(/<.*?>/g, ""),
  );
}
