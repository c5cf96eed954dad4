import { describe, expect, test } from "vitest";
import { lintFixture, buildDescription, type DescriptionParts } from "../lint-fixture.support.js";
import { renamedWords, type RenamedWord } from "../renamed-extensions.js";
import { findExtensionField, followVocabularyReference, type JsonSchema } from "../vocabulary.js";

const names = renamedWords.map((word) => [`${word.field} ${word.at} ${word.old}`, word] as const);

describe("extension/renamed", () => {
  test.each(names)("%s", async (_, word) => {
    const noun = word.kind === "field" ? "extension field" : word.kind;
    const where = word.kind === "field" ? "" : ` of ${word.field}`;
    const diagnostics = await lintFixture(buildDescription(useOf(word, word.old)));
    const found = diagnostics.filter(({ message }) => message.includes(`\`${word.old}\``));
    expect(found).toMatchObject([
      {
        code: "extension/renamed",
        severity: "error",
        message: `The ${noun} \`${word.old}\`${where} has a new name.`,
        fix: `Write \`${word.new}\`.`,
        origin: { pointer: expect.stringMatching(pointerOf(word)) as string },
      },
    ]);
    const codes = diagnostics.map(({ code }) => code);
    expect(codes.filter((code) => code.startsWith("extension/") && code !== "extension/renamed")).toEqual([]);
  });

  test.each(names)("%s has a word that the linter does not report", async (_, word) => {
    const diagnostics = await lintFixture(buildDescription(useOf(word, word.new)));
    expect(diagnostics.filter(({ fix }) => fix === `Write \`${word.new}\`.`)).toEqual([]);
  });

  test.each(names)("%s is replaced in the schema of the field", (_, { field, kind, at, old, new: name }) => {
    if (kind === "field") return expect(field).toBe(name);
    const path = at === "" ? [] : at.split("/");
    const entries = branchesOf(findExtensionField(field).schema).flatMap((each) => [each, ...itemsOf(each)]);
    // The key of a renamed key has no schema of its own.
    const isKeyRenamed = (key: string): boolean =>
      renamedWords.some((each) => each.field === field && each.old === key);
    const isOldPath = path.some((key) => isKeyRenamed(key));
    const schemas = path.reduce((found, key) => found.flatMap((each) => childrenOf(each, key)), entries);
    expect(schemas.length > 0).toBe(!isOldPath);
    if (isOldPath) return;
    const words =
      kind === "key"
        ? schemas.flatMap((each) => Object.keys(each.properties ?? {}))
        : schemas.flatMap((each) => each.enum ?? []);
    // Names of states are not in the schema, apart from its descriptions.
    if (name.startsWith("$")) return expect(schemas.map((each) => each.type)).toContain("string");
    expect(words).toContain(name);
    expect(words).not.toContain(old);
  });

  test("reports words inside a field with its old name, and in each of several state machines", async () => {
    const note = `x-resource: {owner: [user]}
x-state-machine:
  - {x-name: one, states: [a], initial: [{event: createNote, to: a, takes: PT1S}], transitions: []}
  - {x-name: two, states: [a], initial: [{event: createNote, to: a, takes: PT1S}], transitions: []}`;
    const properties = "kind: {type: string, maxLength: 9, x-change: {rule: create-only}}";
    const diagnostics = await lintFixture(buildDescription({ note, properties }));
    expect(diagnostics.map(({ code, origin, fix }) => `${code} ${origin.pointer.split("/Note/")[1]} ${fix}`)).toEqual([
      "extension/renamed x-state-machine/0/initial/0/takes Write `duration`.",
      "extension/renamed x-state-machine/1/initial/0/takes Write `duration`.",
      "extension/renamed properties/kind/x-change Write `x-mutability`.",
      "extension/renamed properties/kind/x-change/rule Write `immutable`.",
    ]);
  });

  test("is a warning for third-party descriptions, where all other rules apply", async () => {
    const text = buildDescription({ properties: "kind: {type: string, x-visible: true, pattern: '('}" });
    const diagnostics = await lintFixture(text, "minimal");
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      "warning extension/renamed",
      "warning patterns/unchecked",
    ]);
  });
});

/** Returns the schema and its alternatives, with references resolved. */
function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  const { schema: resolved } = followVocabularyReference(schema);
  return [resolved, ...[...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])].flatMap(branchesOf)];
}

function itemsOf({ items }: JsonSchema): readonly JsonSchema[] {
  return typeof items === "object" ? branchesOf(items) : [];
}

function childrenOf(schema: JsonSchema, key: string): readonly JsonSchema[] {
  const own = schema.properties?.[key];
  if (key !== "*") return own === undefined ? [] : branchesOf(own);
  const { additionalProperties: others } = schema;
  return [...itemsOf(schema), ...(typeof others === "object" ? branchesOf(others) : [])];
}

/** A part of a description that uses a word at the location of a row. */
function useOf({ field, kind, at }: RenamedWord, word: string): DescriptionParts {
  const isList = ["x-effects", "x-errors", "x-value"].includes(field);
  if (kind === "field") return { properties: `kind: {type: string, maxLength: 9, ${word}: {}}` };
  const path = at === "" ? [] : at.split("/");
  const entry = path.reduceRight<unknown>(
    (inner, key, index) =>
      key === "*" ? (path[index - 1] === "hidden" ? { state: inner } : [inner]) : { [key]: inner },
    kind === "key" ? { [word]: "any" } : word,
  );
  const text = `${field}: ${JSON.stringify(isList ? [entry] : entry)}`;
  if (field === "x-effects" || field === "x-errors") return { operation: text };
  if (field === "x-input") return { root: text };
  return { properties: `kind: {type: string, maxLength: 9, ${text}}` };
}

function pointerOf({ field, kind, at, old }: RenamedWord): RegExp {
  const key = kind === "value" ? "" : `/${old}`;
  const path = at === "" ? "" : `/${at.replaceAll("*", "(0|state)")}`;
  return kind === "field" ? new RegExp(`/${old}$`) : new RegExp(`/${field}(/0)?${path}${key.replace("$", "\\$")}$`);
}
