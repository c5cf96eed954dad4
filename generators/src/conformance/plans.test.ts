import { expect, test } from "vitest";
import { planOf } from "./plans.js";
import { contextFrom, houses } from "./testing.support.js";

test("a plan makes the objects of the path, outermost first, and calls with the example", async () => {
  const context = await contextFrom(houses);
  const operation = context.operations.get("updatePet");
  expect(operation && planOf(context, operation, { objects: "own" })).toMatchObject({
    before: [
      { make: "House", as: "house" },
      { make: "Pet", as: "pet", of: { House: { $get: "house" } }, fresh: true },
    ],
    call: {
      call: "updatePet",
      path: { houseId: { $get: "house#/id" }, petName: { $get: "pet#/name" } },
      body: { age: 3 },
    },
    names: { houseId: "house", petName: "pet" },
    alone: false,
  });
});

test("objects of refused calls are the lane's", async () => {
  const context = await contextFrom(houses);
  const operation = context.operations.get("deleteHouse");
  expect(operation && planOf(context, operation, { objects: "shared" }).before).toEqual([
    { make: "House", as: "house" },
  ]);
});

test("without an example a body is the least that its shape takes", async () => {
  const context = await contextFrom(houses);
  const operation = context.operations.get("createHouse");
  expect(operation && planOf(context, operation, { objects: "own" }).call.body).toEqual({ name: "text" });
});

test("settings say what a description cannot, and what they prepare is no check", async () => {
  const context = await contextFrom(houses, {
    operations: {
      deleteHouse: {
        before: [{ call: "listHouses" }],
        with: { House: { name: "empty" } },
        by: { user: "eve" },
        needs: ["users"],
      },
    },
  });
  const operation = context.operations.get("deleteHouse");
  expect(operation && planOf(context, operation, { objects: "own" })).toMatchObject({
    before: [
      { make: "House", as: "house", with: { name: "empty" }, fresh: true },
      { call: "listHouses", given: true },
    ],
    call: { call: "deleteHouse", by: { user: "eve" }, path: { houseId: { $get: "house#/id" } } },
    needs: ["users"],
  });
});
