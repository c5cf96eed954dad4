import { expect, test } from "vitest";
import { contextFromText, createsUsers } from "../../context/fixture-context.support.js";
import { schemaCases } from "../schema-cases.js";

const orders = `openapi: 3.1.0
info: {title: Orders, version: '1'}
x-lists: {pages: {page: page, size: size, envelope: {items: data, page: page, pages: pages, total: results}}}
paths:
  /orders:
    get:
      operationId: listOrders
      tags: [orders]
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 1, default: 1}}
        - {name: size, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 20}}
      responses: {'200': {description: All., content: {application/json: {schema: {$ref: '#/components/schemas/Orders'}}}}}
    post:
      operationId: createOrder
      tags: [orders]
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewOrder'}}}}
      responses:
        '201': {description: Made., content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
        '400': {description: Rejected.}
  /orders/{orderId}:
    parameters: [{name: orderId, in: path, required: true, schema: {type: integer}, x-reference: {to: Order}}]
    get:
      operationId: getOrder
      tags: [orders]
      responses: {'200': {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}
    delete:
      operationId: deleteOrder
      tags: [orders]
      responses: {'204': {description: Gone.}}
components:
  schemas:
    Order:
      type: object
      x-resource: {owner: [account], list: listOrders, read: getOrder, delete: deleteOrder}
      properties:
        id: {type: integer, readOnly: true}
        count: {type: integer}
        state: {type: string}
        most: {type: integer}
        lines: {type: array, items: {$ref: '#/components/schemas/Line'}}
        alarm: {type: integer, x-value: [{absent: true, set: {from: 1/count, times: 5}}]}
    Line: {type: object, required: [size], properties: {size: {type: integer, minimum: 1}}}
    Orders:
      type: object
      properties: {data: {type: array, items: {$ref: '#/components/schemas/Order'}}, page: {type: integer}, pages: {type: integer}, results: {type: integer}}
    NewOrder:
      type: object
      required: [count]
      properties:
        count: {type: integer, minimum: 1, maximum: 9}
        state: {type: string, enum: [open, closed], default: open}
        most: {type: integer, minimum: 1, x-value: [{absent: true, set: {from: 1/count}}]}
        lines: {type: array, items: {$ref: '#/components/schemas/Line'}}
`;

test("absent fields are shown with their defaults, and given ones as they are, in the response, when read and in the list", async () => {
  const cases = schemaCases(await contextFromText(orders, createsUsers)).filter(({ id }) => id.includes("/created/"));
  const shown = (values: Readonly<Record<string, unknown>>): object => ({
    type: "object",
    required: Object.keys(values),
    properties: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { const: value }])),
  });
  const alarm = { $sum: { $list: [{ $get: "answer#/body/count" }, 5] } };
  const [defaults, given] = cases;
  expect(cases.map(({ id }) => id)).toEqual([
    "orders/createOrder/created/defaults",
    "orders/createOrder/created/given",
  ]);
  // The sources of derived defaults are not 1, which a constant could equal.
  expect(defaults?.steps).toMatchObject([
    { actor: { account: "other" }, as: "owner" },
    { call: "createOrder", body: { count: 3 }, expect: { body: shown({ count: 3, state: "open", most: 3 }) } },
    { call: "getOrder", expect: { body: shown({ count: 3, state: "open", most: 3, alarm }) } },
    { call: "listOrders", as: "list" },
    { matches: shown({ count: 3, state: "open", most: 3, alarm }) },
  ]);
  expect(given?.steps[1]).toMatchObject({
    body: { count: 3, state: "closed", most: 4, lines: [{ size: 1 }, { size: 2 }] },
  });
});

test("each field is validated in the second item of a list, too", async () => {
  const cases = schemaCases(await contextFromText(orders)).filter(({ id }) => id.endsWith("/second-invalid"));
  expect(cases.map(({ id, steps }) => [id, steps[0]])).toMatchObject([
    ["orders/createOrder/lines.1/second-invalid", { expect: { status: 400 } }],
    ["orders/createOrder/lines.1.size/second-invalid", { body: { lines: [{ size: 1 }, { size: -1 }] } }],
  ]);
});
