import { expect, test } from "vitest";
import { matchOperations } from "./match-operations.js";

const identities = (text: string) =>
  text
    .split(", ")
    .filter((each) => each !== "")
    .map((each) => ({ name: each.split(" ")[0] ?? "", route: each.split(" ").slice(1).join(" ") }));

test.each([
  ["nothing changes", "a GET /a", "a GET /a", {}, []],
  ["a name changes", "a GET /a, b GET /b", "a GET /a, c GET /b", { b: "c" }, []],
  ["a route changes", "a GET /a", "a GET /v2/a", {}, []],
  ["a parameter is renamed, and the operation", "a GET /a/{id}", "b GET /a/{aId}", { a: "b" }, []],
  ["a method changes, and the name", "a GET /a", "b POST /a", {}, ["a"]],
  ["two names are swapped", "a GET /a, b GET /b", "b GET /a, a GET /b", { a: "b", b: "a" }, []],
  ["a name follows another", "a GET /a, b GET /b", "b GET /a, c GET /b", { a: "b", b: "c" }, []],
  ["an operation takes the name of a removed one", "a GET /a, b GET /b", "b GET /a", { a: "b" }, ["b"]],
  ["operations have no path", "a PUT, b PUT", "c PUT, b PUT", {}, ["a"]],
  ["an operation is new", "", "a GET /a", {}, []],
])("%s", (_, before, now, renamed, removed) => {
  const changes = matchOperations(identities(before), identities(now));
  expect([Object.fromEntries(changes.renamed), changes.removed]).toEqual([renamed, removed]);
});
