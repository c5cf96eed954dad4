import type { CallStep, Template } from "@plumbline/conformance-runtime";
import { expect, test } from "vitest";
import { schemaCases } from "../cases/schema-cases.js";
import { contextFromText } from "../context/fixture-context.support.js";

const shortest = /^"-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?"$/;

/** The prices that cases of a request send and expect in the response, by their schemas. */
async function echoes(request: string, response: string): Promise<readonly (readonly [Template, boolean])[]> {
  const context = await contextFromText(`openapi: 3.1.0
info: {title: Items, version: '1'}
paths:
  /items:
    post:
      operationId: createItem
      tags: [items]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [price], properties: {price: ${request}}}}}}
      responses: {'201': {description: It., content: {application/json: {schema: {type: object, properties: {price: ${response}}}}}}, '422': {description: Invalid.}}
`);
  return schemaCases(context).flatMap(({ id, steps }) => {
    if (!id.startsWith("items/createItem/price/")) return [];
    const call = steps.findLast((step): step is CallStep => "call" in step);
    const status = call?.expect?.status;
    const { price } = Object(call?.body) as { readonly price?: Template };
    return status !== undefined || price === undefined
      ? []
      : [[price, JSON.stringify(call?.expect?.body ?? null).includes('"price"')] as const];
  });
}

const decimal = String.raw`{type: string, pattern: '^(?!^[-+.]*$)[+-]?0*(?:\d{0,8}|(?=[\d.]{1,11}0*$)\d{0,8}\.\d{0,2}0*$)'}`;

test("a text that stands for a number is compared only in its shortest form", async () => {
  const all = await echoes(decimal, decimal);
  const numbers = all.filter(([price]) => /^"[-+\d.]+"$/.test(JSON.stringify(price)));
  expect(numbers.length).toBeGreaterThan(2);
  for (const [price, isCompared] of numbers)
    expect([price, isCompared]).toEqual([price, shortest.test(JSON.stringify(price))]);
});

test("a number is not compared with the text of a response", async () => {
  const bounded = "{type: number, minimum: 1, maximum: 9}";
  const compared = async (response: string) => new Set((await echoes(bounded, response)).map(([, each]) => each));
  expect(await compared("{type: string}")).toEqual(new Set([false]));
  expect(await compared("{type: number}")).toEqual(new Set([true]));
});

test("a time is compared only in UTC, and any other text is", async () => {
  const times = await echoes("{type: string, format: date-time}", "{type: string, format: date-time}");
  for (const [time, isCompared] of times)
    expect([time, isCompared]).toEqual([time, /:\d\dZ"$/.test(JSON.stringify(time))]);
  const texts = await echoes("{type: string, minLength: 2, maxLength: 4}", "{type: string}");
  expect(texts.map(([, isCompared]) => isCompared)).toEqual([true, true, true]);
});
