import { expect, test } from "vitest";
import { contextFromText, housesDescription } from "../context/fixture-context.support.js";
import { errorCases } from "./errors.js";

const failures = (text: string): string =>
  housesDescription.replace("operationId: updatePet\n", `operationId: updatePet\n      x-errors: [${text}]\n`);

test("a condition of the body is met, and narrowly not met", async () => {
  const unborn =
    "{id: unborn, status: 400, field: age, when: {body: {properties: {age: {const: 0}}, required: [age]}}, x-source: [pet.age]}";
  const cases = errorCases(await contextFromText(failures(unborn)));
  expect(cases).toMatchObject([
    {
      id: "pets/updatePet/errors/unborn/fails",
      kind: "errors",
      requirements: ["pet.age"],
      steps: [
        { make: "House" },
        { make: "Pet" },
        {
          call: "updatePet",
          body: { $merge: [{ age: 3 }, { age: 0 }] },
          expect: { status: 400, error: { field: "age" } },
        },
      ],
    },
    {
      id: "pets/updatePet/errors/unborn/passes",
      steps: [
        { make: "House" },
        { make: "Pet" },
        { call: "updatePet", body: { $merge: [{ age: 3 }, { age: { $absent: true } }] } },
      ],
    },
  ]);
});

test("the settings define requests for errors without a condition", async () => {
  const context = await contextFromText(
    failures("{id: asleep, status: 409, field: null, summary: The pet sleeps., x-source: [pet.sleep]}"),
    {
      errors: {
        updatePet: {
          asleep: {
            before: [{ call: "listHouses" }],
            fails: { body: { age: 9 } },
            alternatives: { older: { body: { age: 10 } } },
            passes: {},
          },
        },
      },
    },
  );
  const cases = errorCases(context);
  expect(cases.map(({ id, title }) => [id, title])).toEqual([
    ["pets/updatePet/errors/asleep/fails", "The pet sleeps"],
    ["pets/updatePet/errors/asleep/fails/older", "The pet sleeps (older)"],
    ["pets/updatePet/errors/asleep/passes", "Not met: The pet sleeps"],
  ]);
  expect(cases[0]?.steps.slice(2)).toMatchObject([
    { call: "listHouses", setup: true },
    { call: "updatePet", body: { $merge: [{ age: 3 }, { age: 9 }] }, expect: { status: 409, error: { field: null } } },
  ]);
});

test("an error without a condition has no case here", async () => {
  expect(
    errorCases(await contextFromText(failures("{id: asleep, status: 409, field: null, verifiedBy: sleep}"))),
  ).toEqual([]);
});
