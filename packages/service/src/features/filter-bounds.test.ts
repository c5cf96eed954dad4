import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start, type World } from "../testing.support.js";

/** Each letter has a distinct capital. The parser of SQLite could not read 27 of them. */
const letters = "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿāăąćĉċčďđēĕ";

/** A service with four instances, by their labels. */
async function started(): Promise<World> {
  const world = await start();
  const tagsOf = { small: letters, capital: letters.toUpperCase(), plain: "aaa", special: "*[a]?" };
  for (const [label, tag] of Object.entries(tagsOf)) {
    const body = { label, group: label, tags: [tag], region: "us-east", type: "g6-nanode-1" };
    await api.createInstance(world.admin, { body });
  }
  return world;
}

function search({ admin }: World, filter: object): Promise<api.InstancePage> {
  return api.listInstances(admin, { headers: { "X-Filter": filter } });
}

async function found(world: World, filter: object): Promise<string[]> {
  return (await search(world, filter)).data.map(({ label }) => label);
}

test("a search matches any number of letters in either case, and nothing else", async () => {
  const world = await started();
  for (const count of [1, 27, letters.length]) {
    const some = letters.slice(0, count);
    expect(await found(world, { tags: { "+contains": some } })).toEqual(["small", "capital"]);
    expect(await found(world, { tags: { "+contains": some.toUpperCase() } })).toEqual(["small", "capital"]);
    expect(await found(world, { tags: { "+contains": `${some}x` } })).toEqual([]);
  }
  for (const text of ["*", "[", "]", "?", "[A]", "*[a]?"]) {
    expect(await found(world, { tags: { "+contains": text } })).toEqual(["special"]);
    expect(await found(world, { tags: { "+contains": `${text}é` } })).toEqual([]);
  }
});

test("a filter has at most 250 conditions, an empty filter among them", async () => {
  const world = await started();
  const tooLong = [400, "X-Filter: must have 1 to 250 items"];
  const tooMany = [400, "X-Filter: Must have at most 250 conditions"];
  const of = (count: number, each: object): object => ({ "+or": Array.from({ length: count }, () => each) });
  expect(await found(world, of(250, { label: "plain" }))).toEqual(["plain"]);
  expect(await failure(search(world, of(251, { label: "plain" })))).toEqual(tooLong);
  expect(await found(world, of(250, {}))).toHaveLength(4);
  expect(await failure(search(world, of(1000, {})))).toEqual(tooLong);
  const five = { id: { "+gt": 0, "+gte": 1, "+lt": 9e9, "+lte": 9e9, "+neq": 0 } };
  expect(await found(world, of(50, five))).toHaveLength(4);
  expect(await failure(search(world, of(51, five)))).toEqual(tooMany);
});

test("a filter has at most 8 levels, each with conditions beside the next", async () => {
  const world = await started();
  const nested = (levels: number): object =>
    levels === 1
      ? { tags: { "+contains": "É" } }
      : { label: { "+neq": "plain" }, "+or": [{ label: "special" }, nested(levels - 1)] };
  expect(await found(world, nested(8))).toEqual(["small", "capital", "special"]);
  expect(await failure(search(world, nested(9)))).toEqual([400, "X-Filter: Must not be nested deeper than 8 levels"]);
});
