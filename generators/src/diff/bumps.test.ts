import { expect, it } from "vitest";
import { bumpOf } from "./bumps.js";
import { differencesOf, described, requestOf } from "./testing.support.js";

const get = (name: string) => `/notes/{id}:
  get:
    operationId: ${name}
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    responses: {'200': {description: Yes}}`;

/** The version bump of each of the four packages. */
const packages: readonly (readonly [what: string, old: string, next: string, bumps: readonly string[]])[] = [
  [
    "an operation has another name, which a validator exports",
    described({ paths: get("readNote") }),
    described({ paths: get("getNote") }),
    ["major", "major", "major", "major"],
  ],
  [
    "an operation is new, which users of a validator do not have to handle",
    described({}),
    described({ paths: get("readNote") }),
    ["minor", "minor", "major", "major"],
  ],
  [
    "a field may be absent in the input of a handler",
    requestOf("type: object, required: [a], properties: {a: {type: string}}"),
    requestOf("type: object, properties: {a: {type: string}}"),
    ["minor", "major", "major", "major"],
  ],
  [
    "only documentation changed",
    described({}),
    described({ operation: "summary: Makes a note" }),
    ["patch", "patch", "patch", "patch"],
  ],
];

it.each(packages)("%s", async (_, old, next, bumps) => {
  const found = await differencesOf(old, next);
  const kinds = ["client", "validator", "server", "conformance"];
  expect(kinds.map((kind) => bumpOf({ name: kind, kind, version: "1.0.0" }, found))).toEqual(bumps);
  const below = bumps.map((bump) => (bump === "major" ? "minor" : bump));
  expect(kinds.map((kind) => bumpOf({ name: kind, kind, version: "0.9.0" }, found))).toEqual(below);
});
