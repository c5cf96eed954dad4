import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { kennelsDescription } from "../references/references-description.support.js";
import { effectCases } from "./effects.js";

/** The kennels description with one more operation. */
function doing(lines: string): string {
  const operation = `  /kennels/{kennelId}/clean:
    parameters: [*kennelId]
    post:
      operationId: cleanKennel
      tags: [kennels]
      security: [{bearer: []}]
${lines.replaceAll(/^(?=.)/gm, "      ")}
  /tags/{label}:`;
  return kennelsDescription.replace("  /tags/{label}:", operation);
}

const answered = "responses: {'200': {description: Done., content: *kennel}}";
const fixtures = { Dog: { requires: [], steps: [], outputs: { id: 7, kennel: { $get: "of#/Kennel/id" } } } };

async function stepsOf(
  text: string,
  id: string,
  settings: Parameters<typeof contextFromText>[1] = {},
): Promise<unknown> {
  return effectCases(await contextFromText(text, settings)).find((each) => each.id.endsWith(id))?.steps;
}

test("an object that a call creates is listed, and found by its values", async () => {
  const list = { call: "listEvents", headers: { "X-Filter": { $json: { action: "made" } } } };
  const [creation] = effectCases(await contextFromText(kennelsDescription));
  expect(creation).toEqual({
    id: "kennels/createKennel/effects/told",
    kind: "effects",
    operation: "createKennel",
    title: "createKennel: creates a new Event",
    requirements: ["told"],
    requires: [],
    steps: [
      { settle: true },
      { ...list, as: "before", setup: true },
      { call: "createKennel", body: {}, as: "answer" },
      { settle: true },
      {
        ...list,
        everyPage: true,
        expect: {
          body: {
            properties: {
              results: { const: { $sum: [{ $get: "before#/body/results" }, 1] } },
              data: { contains: { allOf: [{ properties: { action: { const: "made" } }, required: ["action"] }] } },
            },
            required: ["results"],
          },
        },
      },
    ],
  });
});

test("values that a call sets are different before, and set after", async () => {
  const text = doing(
    `${answered}\nx-effects: [{id: washed, does: set, to: $request.path.kennelId, values: {state.clean: true}}]`,
  );
  const read = { call: "getKennel", path: { kennelId: { $get: "kennel#/id" } } };
  const clean = { properties: { clean: { const: true } }, required: ["clean"] };
  const values = { allOf: [{ properties: { state: clean }, required: ["state"] }] };
  expect(await stepsOf(text, "effects/washed")).toEqual([
    { make: "Kennel", as: "kennel", fresh: true },
    { settle: true },
    { ...read, as: "target", setup: true },
    { ...read, expect: { body: { not: values } }, setup: true },
    { call: "cleanKennel", path: read.path, as: "answer" },
    { settle: true },
    { ...read, expect: { body: values } },
  ]);
});

test("objects that a call deletes are found before and not after, and those of another object remain", async () => {
  const text = doing(`${answered}\nx-effects: [{id: emptied, does: delete, to: Dog, of: $request.path.kennelId}]`);
  const dog = (suffix: string): object => ({
    call: "getDog",
    path: { kennelId: { $get: `kennel${suffix}#/id` }, dogId: { $get: `dog${suffix}#/id` } },
  });
  expect(await stepsOf(text, "effects/emptied", { fixtures })).toEqual([
    { make: "Kennel", as: "kennel", fresh: true },
    { settle: true },
    { make: "Dog", as: "dog", of: { Kennel: { $get: "kennel" } } },
    { make: "Kennel", as: "kennelKept", fresh: true },
    { make: "Dog", as: "dogKept", of: { Kennel: { $get: "kennelKept" } } },
    { settle: true },
    { ...dog(""), setup: true },
    { call: "cleanKennel", path: { kennelId: { $get: "kennel#/id" } } },
    { settle: true },
    { ...dog(""), expect: { status: 404, error: { field: null, reasonContains: ["Not found"] } } },
    dog("Kept"),
  ]);
});

test("what a call adds to listed objects is added to these only", async () => {
  const body =
    "{type: object, properties: {name: {type: string}, kennels: {type: array, items: {type: integer, x-reference: {to: Kennel}}}}, required: [name]}";
  const text = doing(
    `${answered}\nrequestBody: {content: {application/json: {schema: ${body}}}}\n` +
      "x-effects: [{id: named, does: add, to: $request.body#/kennels/*, values: {tags: {from: $request.body#/name}}}]",
  );
  const has = {
    properties: { tags: { contains: { const: { $get: "answer#/request/body/name" } } } },
    required: ["tags"],
  };
  const read = (name: string): object => ({ call: "getKennel", path: { kennelId: { $get: `${name}#/id` } } });
  const settings = { fixtures: { Tag: { requires: [], steps: [], outputs: { label: "a" } } } };
  const had = { properties: { tags: { contains: { const: { $get: "earlier#/label" } } } }, required: ["tags"] };
  expect(await stepsOf(text, "effects/named", settings)).toEqual([
    { make: "Kennel", as: "kennel", fresh: true },
    { settle: true },
    { make: "Tag", as: "earlier", fresh: true },
    { make: "Kennel", as: "kennelNamed", fresh: true, with: { tags: [{ $get: "earlier#/label" }] } },
    { make: "Kennel", as: "kennelNamedKept", fresh: true },
    { settle: true },
    {
      call: "cleanKennel",
      path: { kennelId: { $get: "kennel#/id" } },
      body: { $merge: [{ name: "text" }, { kennels: [{ $get: "kennelNamed#/id" }] }] },
      as: "answer",
    },
    { settle: true },
    { ...read("kennelNamed"), expect: { body: { allOf: [has, had] } } },
    { ...read("kennelNamedKept"), expect: { body: { not: has } } },
  ]);
});

test("an effect that a workflow verifies has no case here", async () => {
  const text = doing(
    `${answered}\nx-effects: [{id: washed, does: set, to: $request.path.kennelId, values: {clean: true}, verifiedBy: wash}]`,
  );
  expect(await stepsOf(text, "effects/washed")).toBeUndefined();
});

test("what a call keeps reads the same before and after", async () => {
  const text = doing(`${answered}\nx-effects: [{id: stays, does: keep, to: Kennel}]`);
  const read = { call: "getKennel", path: { kennelId: { $get: "kept#/id" } } };
  const steps = (await stepsOf(text, "effects/stays")) as readonly unknown[];
  expect(steps.slice(-6)).toEqual([
    { make: "Kennel", as: "kept", fresh: true },
    { settle: true },
    { ...read, as: "before", setup: true },
    { call: "cleanKennel", path: { kennelId: { $get: "kennel#/id" } } },
    { settle: true },
    { ...read, expect: { body: { const: { $get: "before#/body" } } } },
  ]);
});

test("what an operation reads is not what it was before a call that replaces it", async () => {
  const text = doing(`${answered}\nx-effects: [{id: refilled, does: replace, to: getKennel}]`);
  const path = { kennelId: { $get: "kennel#/id" } };
  expect(await stepsOf(text, "effects/refilled")).toEqual([
    { make: "Kennel", as: "kennel", fresh: true },
    { settle: true },
    { call: "getKennel", path, as: "before", setup: true },
    { call: "cleanKennel", path, as: "answer" },
    { settle: true },
    { call: "getKennel", path, as: "after", expect: { body: { not: { const: { $get: "before#/body" } } } } },
    { call: "cleanKennel", path },
    { settle: true },
    {
      call: "getKennel",
      path,
      expect: { body: { not: { enum: [{ $get: "before#/body" }, { $get: "after#/body" }] } } },
    },
  ]);
});

test("a replacement of resources, and one on a condition, has no case", async () => {
  const effect = (keys: string) => doing(`${answered}\nx-effects: [{id: refilled, does: replace, ${keys}}]`);
  expect(await stepsOf(effect("to: Dog, of: $request.path.kennelId"), "effects/refilled")).toBeUndefined();
  const when = "when: {caller: {properties: {restricted: {const: true}}}}";
  expect(await stepsOf(effect(`to: getKennel, ${when}`), "effects/refilled")).toBeUndefined();
});
