import { expect, test } from "vitest";
import { planOf } from "./plans.js";
import { contextFrom, houses } from "./testing.support.js";

test("a plan creates the objects of the path, outermost first, and calls with the example", async () => {
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

test("rejected calls use the lane's shared objects", async () => {
  const context = await contextFrom(houses);
  const operation = context.operations.get("deleteHouse");
  expect(operation && planOf(context, operation, { objects: "shared" }).before).toEqual([
    { make: "House", as: "house" },
  ]);
});

test("without an example the body is the smallest valid one", async () => {
  const context = await contextFrom(houses);
  const operation = context.operations.get("createHouse");
  expect(operation && planOf(context, operation, { objects: "own" }).call.body).toEqual({ name: "text" });
});

test("settings add what the description cannot express, and their steps are setup", async () => {
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
