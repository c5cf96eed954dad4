import { expect, it } from "vitest";
import { andThen, firstInTurn } from "./in-turn.js";

it("passes a value on at once, or when its promise resolves", async () => {
  const double = (value: number): number => value * 2;
  expect(andThen(2, double)).toBe(4);
  const later = andThen(Promise.resolve(2), double);
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toBe(4);
});

it("calls a function for one item after the other, and waits only for promises", async () => {
  const calls: string[] = [];
  const begin = (item: string): undefined => void calls.push(`begin ${item}`);
  const run = (item: string): undefined | Promise<undefined> => {
    begin(item);
    return item === "b" ? Promise.resolve().then(() => void calls.push("end b")) : undefined;
  };
  expect(firstInTurn(["a", "c"], run)).toBeUndefined();
  expect(await firstInTurn(["b", "d"], run)).toBeUndefined();
  expect(calls).toEqual(["begin a", "begin c", "begin b", "end b", "begin d"]);
});

it.each([
  [(item: number) => (item === 2 ? "two" : undefined)],
  [async (item: number) => (item === 2 ? "two" : undefined)],
])("stops at the first result", async (run) => {
  const seen: number[] = [];
  const found = firstInTurn([1, 2, 3], (item) => {
    seen.push(item);
    return run(item);
  });
  expect([await found, seen]).toEqual(["two", [1, 2]]);
});
