import { expect, test } from "vitest";
import type { FormField } from "./console-data.js";
import { readForm, readInput, writeForm } from "./form-values.js";

const fields: readonly FormField[] = [
  { name: "label", isRequired: true, input: { kind: "text" } },
  { name: "size", isRequired: false, input: { kind: "number", isInteger: true } },
  { name: "booted", isRequired: false, input: { kind: "boolean" } },
  { name: "kind", isRequired: false, input: { kind: "select", values: ["a", 2] } },
  {
    name: "alerts",
    isRequired: false,
    input: { kind: "group", fields: [{ name: "cpu", isRequired: true, input: { kind: "number", isInteger: false } }] },
  },
  { name: "tags", isRequired: false, input: { kind: "json" } },
];

test("a form has the value of its inputs, and nothing for empty ones", () => {
  const texts = new Map([
    ["0", "web"],
    ["1", "5"],
    ["2", "false"],
    ["3", "1"],
    ["4.0", "0.5"],
    ["5", '["x"]'],
  ]);
  expect(readForm(fields, texts)).toEqual({
    label: "web",
    size: 5,
    booted: false,
    kind: 2,
    alerts: { cpu: 0.5 },
    tags: ["x"],
  });
  expect(readForm(fields, new Map())).toEqual({});
});

test("a required group is an object, even an empty one", () => {
  const group: FormField = { name: "specs", isRequired: true, input: { kind: "group", fields } };
  expect(readForm([group], new Map())).toEqual({ specs: {} });
});

test.each([
  [{ kind: "number", isInteger: true }, "five", "five"],
  [{ kind: "number", isInteger: true }, " ", " "],
  [{ kind: "json" }, "a, b", "a, b"],
  [{ kind: "boolean" }, "maybe", "maybe"],
] as const)("what is not of the type of its input stays a text: %j %j", (input, text, value) => {
  expect(readInput(input, text)).toBe(value);
});

test("a form shows a value, and has it again", () => {
  const value = { label: "web", kind: "a", alerts: { cpu: 1 }, tags: [{ deep: null }] };
  const texts = writeForm(fields, value);
  expect(texts).toEqual(
    new Map([
      ["0", "web"],
      ["3", "0"],
      ["4.0", "1"],
      ["5", '[\n  {\n    "deep": null\n  }\n]'],
    ]),
  );
  expect(readForm(fields, texts ?? new Map())).toEqual(value);
});

test.each([
  ["another field", { colour: "red" }],
  ["another field of a group", { alerts: { cpu: 1, io: 2 } }],
  ["a value of another type", { label: 5 }],
  ["null", { size: null }],
  ["an unknown value of an enum", { kind: "b" }],
  ["an empty text, which would be absent", { label: "" }],
  ["an empty group, which would be absent", { alerts: {} }],
  ["a list", [1]],
])("a form has no place for %s", (_, value) => {
  expect(writeForm(fields, value)).toBeUndefined();
});

test("a field named __proto__ is a field", () => {
  const [field] = fields;
  const odd = [{ ...(field as FormField), name: "__proto__" }];
  const value = readForm(odd, new Map([["0", "x"]]));
  expect(JSON.stringify(value)).toBe('{"__proto__":"x"}');
  expect(writeForm(odd, value)).toEqual(new Map([["0", "x"]]));
});
