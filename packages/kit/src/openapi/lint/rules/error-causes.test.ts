import { expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages } from "../lint-fixture.support.js";

const odd = "{id: odd, status: 400, field: null, summary: The note is odd., verifiedBy: odd-notes}";
const because = (text: string) => (of: string) => of.replace("'400': {description: Something is wrong}", text);

test("a 400 response names an error of the operation by its summary", async () => {
  const text = buildDescription({ operation: `x-errors: [${odd}]` });
  const [diagnostic, ...others] = (await lintFixture(text)).filter(({ code }) => code === "errors/cause");
  expect(others).toEqual([]);
  expect(diagnostic).toMatchObject({
    message: 'The 400 response of createNote does not name the cause "odd".',
    fix: "Add the summary of the error to the response's description: The note is odd.",
  });
  const folded = because("'400':\n          description: |-\n            Either: The note\n            is odd, again.");
  expect(await lintFixture(folded(text))).toEqual([]);
});

test("the description of a response that is referred to counts, and so does that of a range", async () => {
  const components = "responses:\n  Bad: {description: The note is odd}";
  const text = buildDescription({ operation: `x-errors: [${odd}]`, components });
  expect(await lintFixture(because("'400': {$ref: '#/components/responses/Bad'}")(text))).toEqual([]);
  expect(await lintFixture(because("4XX: {$ref: '#/components/responses/Bad'}")(text))).toEqual([]);
});

test("other statuses and errors without a summary are not asked for", async () => {
  const silent = "{id: silent, status: 400, field: null, verifiedBy: odd-notes}";
  const operation = `x-errors: [${odd.replace("400", "409")}, ${silent}]`;
  const text = because("'400': {description: Bad}\n        '409': {description: Conflict}")(
    buildDescription({ operation }),
  );
  expect(await lintFixture(text)).toEqual([]);
});

test("an error of the root concerns every operation, or those that have the parameter it blames", async () => {
  const root = (field: string) => `x-errors: [{id: bad, status: 400, ${field} summary: It is bad.}]`;
  const operation = "parameters: [{name: X-Filter, in: header, schema: {type: string}}]";
  const message = 'The 400 response of createNote does not name the cause "bad".';
  expect(await lintMessages("errors/cause", { root: root("") })).toEqual([message]);
  expect(await lintMessages("errors/cause", { root: root("field: X-Filter,") })).toEqual([]);
  expect(await lintMessages("errors/cause", { root: root("field: X-Filter,"), operation })).toEqual([message]);
});

test("an error of a schema concerns the operations that are sent it", async () => {
  const note = `x-errors: [${odd.replace("verifiedBy: odd-notes", "when: {body: {required: [text]}}")}]`;
  expect(await lintMessages("errors/cause", { note })).toEqual([
    'The 400 response of createNote does not name the cause "odd".',
  ]);
});
