import { array, assert, constantFrom, integer, property, record } from "fast-check";
import { expect, test } from "vitest";
import { MockCapacityError, MockStore } from "./mock-store.js";
import type { StoredObject } from "./stored-object.js";

const createStore = (maximum = 100): MockStore => new MockStore(maximum, ({ values }) => values["id"]);

function pet(store: MockStore, id: unknown, values: object = {}): StoredObject {
  const key = store.nextKey();
  return { key, resource: "Pet", values: { id, ...values }, owner: {}, parent: undefined, states: {}, createdAt: 0 };
}

test("an object is found by its identifier, also after that has changed", () => {
  const store = createStore();
  const rex = pet(store, "rex");
  store.put(rex);
  expect(store.identified("Pet", "rex")).toEqual([rex]);
  const renamed = { ...rex, values: { id: "max" } };
  store.put(renamed);
  expect([store.identified("Pet", "rex"), store.identified("Pet", "max")]).toEqual([[], [renamed]]);
  store.remove(renamed);
  expect([store.identified("Pet", "max"), [...store.all("Pet")]]).toEqual([[], []]);
});

test("what throws changes nothing, at any depth", () => {
  const store = createStore();
  const rex = pet(store, 1);
  store.put(rex);
  store.setDocument("a", 1);
  const before = store.snapshot();
  expect(() =>
    store.atomically(() => {
      store.put({ ...rex, values: { id: 2 } });
      store.put(pet(store, 3));
      store.atomically(() => store.setDocument("a", 2));
      store.remove(rex);
      throw new Error("no");
    }),
  ).toThrow("no");
  const { objects, documents } = store.snapshot();
  expect({ objects, documents }).toEqual({ objects: before.objects, documents: before.documents });
});

test("keys do not repeat after a restored snapshot", () => {
  const store = createStore();
  const empty = store.snapshot();
  const first = store.nextKey();
  store.restore(empty);
  expect(store.nextKey()).toBeGreaterThan(first);
});

test("a store holds as many objects as it may, and replaces any of them", () => {
  const store = createStore(2);
  const objects = [pet(store, 1), pet(store, 2)];
  for (const each of objects) store.put(each);
  for (const each of objects) store.put({ ...each, values: { id: 9 } });
  expect(() => store.put(pet(store, 3))).toThrow(new MockCapacityError(2));
  expect(store.size).toBe(2);
});

test("any sequence of changes keeps the index and the objects in step", () => {
  const change = record({
    id: integer({ min: 0, max: 4 }),
    kind: constantFrom("put", "move", "remove", "fail"),
  });
  assert(
    property(array(change, { maxLength: 40 }), (changes) => {
      const store = createStore();
      for (const { id, kind } of changes) {
        const [found] = store.identified("Pet", id);
        const run = (): void => {
          if (kind === "put" || found === undefined) store.put(pet(store, id));
          else if (kind === "move") store.put({ ...found, values: { id: id + 1 } });
          else store.remove(found);
          if (kind === "fail") throw new Error("no");
        };
        if (kind === "fail") expect(() => store.atomically(run)).toThrow("no");
        else store.atomically(run);
      }
      const all = [...store.all("Pet")];
      for (const each of all) expect(store.identified("Pet", each.values["id"])).toContain(each);
      const indexed = [0, 1, 2, 3, 4, 5].flatMap((id) => store.identified("Pet", id));
      expect(indexed).toHaveLength(all.length);
    }),
    { numRuns: 200 },
  );
});
