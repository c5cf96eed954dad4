import { expect, test } from "vitest";
import { ByteCollector } from "./node-bytes.js";

const chunk = (length: number, value: number) => new Uint8Array(length).fill(value);

test("a single chunk is not copied, and no chunk is written to", () => {
  const collected = new ByteCollector();
  const first = chunk(3, 1);
  collected.add(first);
  expect(collected.bytes().buffer).toBe(first.buffer);
  collected.add(chunk(2, 2));
  expect([...collected.bytes()]).toEqual([1, 1, 1, 2, 2]);
  expect([...first]).toEqual([1, 1, 1]);
  collected.clear();
  expect([collected.length, collected.bytes().length]).toEqual([0, 0]);
});

test.each([
  ["a declared length is allocated once", 160, 160],
  ["a length that is far from what was sent is not", 161, 20],
  ["a length that is exceeded is not", 9, 20],
  ["without one, the buffer doubles", undefined, 20],
])("%s", (_, declared, capacity) => {
  const collected = new ByteCollector(declared);
  for (const value of [1, 2]) collected.add(chunk(5, value));
  expect(collected.length).toBe(10);
  expect(collected.bytes().buffer.byteLength).toBe(capacity);
});
