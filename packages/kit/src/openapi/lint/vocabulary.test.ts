import { readFileSync, readdirSync } from "node:fs";
import { Oas3_1Types, parseYaml } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { isJsonObject } from "../../model/index.js";
import { extendTypes } from "./types.js";
import { validateExtension } from "./validate-extension.js";
import {
  extensionFieldNames,
  findExtensionField,
  isExtensionFieldName,
  type ExtensionFieldName,
  type JsonSchema,
} from "./vocabulary.js";

const folder = new URL("../../../vocabulary/", import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), "utf8");

/** A JSON Schema validator with the complete vocabulary. */
function validators(lenient: boolean): (name: ExtensionFieldName | "description") => (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false });
  for (const file of readdirSync(folder).filter((each) => each.endsWith(".schema.json"))) {
    const schema = JSON.parse(read(file)) as { $defs?: Record<string, unknown> };
    // Other rules check durations and expressions, with better messages.
    if (lenient && file === "common.schema.json")
      schema.$defs = { ...schema.$defs, duration: {}, expression: { type: "string" } };
    ajv.addSchema(schema, file);
  }
  return (name) => (value) => ajv.validate(`${name}.schema.json`, value);
}

const strict = validators(false);

describe("each page", () => {
  test.each(extensionFieldNames)("%s has an example that the schema allows", (name) => {
    const [, block = ""] = /```yaml\n(.*?)```/s.exec(read(`${name}.md`)) ?? [];
    const found = valuesOf(parseYaml(block), name);
    expect(found.length).toBeGreaterThan(0);
    for (const value of found) {
      expect(strict(name)(value)).toBe(true);
      expect(validateExtension(findExtensionField(name).schema, value).issues).toEqual([]);
    }
  });

  test.each(extensionFieldNames)(
    "%s explains every key of the schema, and says where, traps and what is derived",
    (name) => {
      const page = read(`${name}.md`);
      const keys = objectsOf(findExtensionField(name).schema).flatMap((each) => Object.keys(each.properties ?? {}));
      expect(keys.filter((key) => !page.includes(`| \`${key}\``))).toEqual([]);
      for (const part of ["**Where:**", "## Example", "## Keys", "## Traps", "## What is derived"])
        expect(page).toContain(part);
    },
  );

  test("is in the index", () => {
    const index = read("README.md");
    expect(extensionFieldNames.filter((name) => !index.includes(`[${name}](${name}.md)`))).toEqual([]);
  });
});

test("there is a schema for each field, for what they share, and for files with them, and no other", () => {
  const files = readdirSync(folder).filter((each) => each.endsWith(".schema.json"));
  expect(files.toSorted()).toEqual(
    [
      ...extensionFieldNames.map((each) => `${each}.schema.json`),
      "common.schema.json",
      "description.schema.json",
    ].toSorted(),
  );
});

test("an editor with the schema of descriptions sees every field, at any depth", () => {
  const accepts = strict("description");
  for (const name of extensionFieldNames) {
    expect([name, accepts({ paths: { "/a": { get: [{ [name]: null }] } } })]).toEqual([name, false]);
    const [, block = ""] = /```yaml\n(.*?)```/s.exec(read(`${name}.md`)) ?? [];
    expect([name, accepts({ components: parseYaml(block) })]).toEqual([name, true]);
  }
});

test("an editor accepts assumptions in a file of their own", () => {
  const accepts = strict("description");
  expect(accepts({ "x-assumptions": { $ref: "assumptions.yaml" } })).toBe(true);
  expect(accepts({ "x-assumptions": { "note.order": "by age" } })).toBe(false);
});

test("every key says what it means, for editors", () => {
  const silent = extensionFieldNames.flatMap((name) =>
    objectsOf(findExtensionField(name).schema).flatMap((object) =>
      Object.entries(object.properties ?? {}).flatMap(([key, { description, $ref }]) =>
        description === undefined && $ref === undefined ? [`${name}: ${key}`] : [],
      ),
    ),
  );
  expect(silent).toEqual([]);
});

test("conditions inside extensions are schemas to Redocly, whose references it follows", () => {
  const types = extendTypes({ ...Oas3_1Types }) as Record<
    string,
    { properties: Record<string, unknown>; items?: string }
  >;
  expect(types["Operation"]?.properties["x-errors"]).toBe("x-errors");
  expect(types["x-errors"]?.items).toBe("x-errors/item");
  expect(types["x-errors/item"]?.properties["when"]).toBe("x-errors/item/when");
  expect(types["x-errors/item/when"]?.properties["body"]).toBe("Schema");
  expect(types["Schema"]?.properties["x-filterable"]).toBeNull();
});

/** Fields whose examples have few keys. */
const smallFields: ReadonlySet<ExtensionFieldName> = new Set(["x-name", "x-filterable", "x-problem-details"]);

describe("readField agrees with a JSON Schema validator", () => {
  const lenient = validators(true);
  test.each(extensionFieldNames)("about %s: its example, and everything that is one change away", (name) => {
    const [, block = ""] = /```yaml\n(.*?)```/s.exec(read(`${name}.md`)) ?? [];
    const accepts = lenient(name);
    const values = valuesOf(parseYaml(block), name).flatMap((value) => [value, ...mutants(value)]);
    expect(values.length).toBeGreaterThan(smallFields.has(name) ? 3 : 20);
    const disagreements = values.filter(
      (value) => accepts(value) !== (validateExtension(findExtensionField(name).schema, value).issues.length === 0),
    );
    expect(disagreements).toEqual([]);
  });
});

describe("what readField says", () => {
  const says = (name: ExtensionFieldName, value: unknown): readonly string[] =>
    validateExtension(findExtensionField(name).schema, value).issues.map(
      ({ path, message, fix }) => `${path.join("/")}: ${message}${fix === undefined ? "" : ` ${fix}`}`,
    );

  test("names the key that was meant", () => {
    expect(says("x-limits", [{ id: "a", kind: "rate", max: 1, window: "PT1S", wihtin: "user" }])).toEqual([
      '0/wihtin: "wihtin" is not a key of a limit. Did you mean "within"?',
    ]);
  });

  test("speaks of the branch that was meant", () => {
    expect(says("x-scopes", { atMots: "$caller.scopes", error: "too-wide" })).toEqual([
      ': "atMost" is missing. The maximum scopes.',
      'atMots: "atMots" is not a key of a ceiling. Did you mean "atMost"?',
    ]);
    expect(says("x-state-machine", { initial: [{ event: { plaftorm: "boot" }, to: "a" }], transitions: [] })).toEqual([
      'initial/0/event: "platform" is missing. What the platform does.',
      'initial/0/event/plaftorm: "plaftorm" is not a key of a platform. Did you mean "platform"?',
    ]);
  });

  test("says what may stand there when no branch is near", () => {
    expect(says("x-filterable", "yes")).toEqual([
      ": A string of this form is not allowed here. Write true, or {operators: […]}.",
    ]);
    expect(says("x-grants", [{}])).toEqual([
      "0: This matches none of the alternatives. Write one of `caller`, `grant`, `on` with `level`, or `$ref`.",
    ]);
  });

  test("returns the values of shared definitions", () => {
    const { uses } = validateExtension(findExtensionField("x-grants").schema, [
      { on: "$request.path.id", level: "read_only", when: { body: true }, error: "not-permitted" },
    ]);
    expect(uses.filter(({ kind }) => kind !== "when").map(({ kind, path }) => `${kind} ${path.join("/")}`)).toEqual([
      "expression 0/on",
      "schema 0/when/body",
      "errorId 0/error",
    ]);
  });
});

/** Returns the values of a field, at any depth. */
function valuesOf(value: unknown, name: ExtensionFieldName): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesOf(each, name));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === name ? [child] : isExtensionFieldName(key) ? [] : valuesOf(child, name),
  );
}

/** Returns the value with a node removed, replaced, or extended by an unknown key. */
function mutants(value: unknown): readonly unknown[] {
  const others = [null, true, 0, "", "x", "Not an id", "$request.body#/a", [], {}, { from: 1 }, ["x", "x"]];
  const inside = Array.isArray(value)
    ? value.flatMap((item, index) => [
        value.toSpliced(index, 1),
        ...mutants(item).map((each) => value.with(index, each)),
      ])
    : isJsonObject(value)
      ? Object.entries(value).flatMap(([key, child]) => {
          const { [key]: _, ...rest } = value;
          return [rest, { ...rest, [`${key}s`]: child }, ...mutants(child).map((each) => ({ ...value, [key]: each }))];
        })
      : [];
  const more = isJsonObject(value)
    ? ["x-source", "when", "error", "level", "to", "other"].map((key) => ({ ...value, [key]: ["some.requirement"] }))
    : [];
  return [...others, ...inside, ...more];
}

/** Returns every object of the schema itself. */
function objectsOf(schema: JsonSchema): readonly JsonSchema[] {
  const children = [
    ...(schema.anyOf ?? []),
    ...(typeof schema.items === "object" ? [schema.items] : []),
    ...Object.values(schema.properties ?? {}),
    ...Object.values(schema.$defs ?? {}),
  ];
  return [
    ...(schema.properties ? [schema] : []),
    ...children.filter((each) => each.$ref === undefined).flatMap(objectsOf),
  ];
}
