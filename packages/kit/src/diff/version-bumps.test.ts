import { expect, it } from "vitest";
import { diffTexts, describeNotes, describeRequest } from "./diff-cases.support.js";
import { computeBump } from "./version-bumps.js";

const get = (name: string) => `/notes/{id}:
  get:
    operationId: ${name}
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    responses: {'200': {description: Yes}}`;

/** The version bump of each of the four packages. */
const packages: readonly (readonly [what: string, old: string, next: string, bumps: readonly string[]])[] = [
  [
    "an operation has another name, which a validator exports",
    describeNotes({ paths: get("readNote") }),
    describeNotes({ paths: get("getNote") }),
    ["major", "major", "major", "major"],
  ],
  [
    "an operation is new, which users of a validator do not have to handle",
    describeNotes({}),
    describeNotes({ paths: get("readNote") }),
    ["minor", "minor", "major", "major"],
  ],
  [
    "a field may be absent in the input of a handler",
    describeRequest("type: object, required: [a], properties: {a: {type: string}}"),
    describeRequest("type: object, properties: {a: {type: string}}"),
    ["minor", "major", "major", "major"],
  ],
  [
    "only documentation changed",
    describeNotes({}),
    describeNotes({ operation: "summary: Makes a note" }),
    ["patch", "patch", "patch", "patch"],
  ],
];

it.each(packages)("%s", async (_, old, next, bumps) => {
  const found = await diffTexts(old, next);
  const kinds = ["client", "validator", "server", "conformance"];
  expect(kinds.map((kind) => computeBump({ name: kind, kind, version: "1.0.0" }, found))).toEqual(bumps);
  const below = bumps.map((bump) => (bump === "major" ? "minor" : bump));
  expect(kinds.map((kind) => computeBump({ name: kind, kind, version: "0.9.0" }, found))).toEqual(below);
});
