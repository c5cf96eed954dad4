import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";
import { compareTypes, type ComparisonSettings } from "./compare-types.support.js";

const isFull = process.env["MODE"] === "full";

/** Where our types differ on purpose. An entry that nothing needs fails. */
const intended: Readonly<Record<string, string>> = {
  'node_modules/@readme/oas-examples/3.0/json/circular-paths.json paths["/anything"]':
    "A reference leads through an optional request body: theirs does not compile, ours has the schema.",
};

/** Descriptions that openapi-typescript cannot read. */
const unreadable: ReadonlySet<string> = new Set([
  // A mapping of a discriminator has names of schemas, as OpenAPI allows.
  "node_modules/@readme/oas-examples/3.0/json/discriminators.json",
]);

const own = ["library", "garage", "clinic"].map((name) => `test/descriptions/annotated/${name}.yaml`);
const others = ["3.0", "3.1"].flatMap((version) => examplesOf(version));
const files = isFull ? [...own, "spec/openapi.yaml", ...others] : own;

it.each(isFull ? (["5.9", "6", "7"] as const) : (["5.9"] as const))(
  "prints the types of openapi-typescript, as TypeScript %s says",
  async (compiler) => {
    const { compared, different, rejected, errors } = await compareTypes(files, { compiler });
    expect(errors).toEqual([]);
    expect(different.toSorted()).toEqual(isFull ? Object.keys(intended).toSorted() : []);
    expect(rejected).toEqual(files.filter((file) => unreadable.has(file)));
    expect(compared).toBeGreaterThan(isFull ? 1500 : 60);
  },
  300_000,
);

/** Options of ours, and the same of openapi-typescript. */
const options: readonly (readonly [string, ComparisonSettings])[] = [
  ["enumValues", { options: { enumValues: true }, theirs: { enumValues: true } }],
  ["readonly", { options: { readonly: true }, theirs: { immutable: true } }],
  ["defaultNonNullable", { options: { defaultNonNullable: false }, theirs: { defaultNonNullable: false } }],
  ["dates", { options: { dates: "Date" }, theirs: { transform: asDate } }],
];

const together: ComparisonSettings = {
  options: Object.assign({}, ...options.map(([, each]) => each.options)),
  theirs: Object.assign({}, ...options.map(([, each]) => each.theirs)),
};

it.each(isFull ? [...options, ["all options", together] as const] : [])(
  "prints the types of openapi-typescript with %s",
  async (_, settings) => {
    const { compared, different, errors } = await compareTypes(["spec/openapi.yaml"], settings);
    expect({ different, errors }).toEqual({ different: [], errors: [] });
    expect(compared).toBeGreaterThan(300);
    if (!isFull) return;
    const without = await compareTypes(["spec/openapi.yaml"], { ...settings, options: {} });
    expect(without.different).not.toEqual([]);
  },
);

/** What the documentation of openapi-typescript shows for dates, with null by the type lists of OpenAPI 3.1. */
function asDate({ format, type }: { readonly format?: string; readonly type?: unknown }): ts.TypeNode | undefined {
  const date = ts.factory.createTypeReferenceNode("Date");
  if (format !== "date-time") return undefined;
  if (!Array.isArray(type) || !type.includes("null")) return date;
  return ts.factory.createUnionTypeNode([date, ts.factory.createLiteralTypeNode(ts.factory.createNull())]);
}

it("finds types that differ", async () => {
  const { different } = await compareTypes(["test/descriptions/annotated/library.yaml"], {
    options: { defaultNonNullable: false },
  });
  expect(different).toContain('test/descriptions/annotated/library.yaml components["schemas"]["NewBook"]');
});

function examplesOf(version: string): readonly string[] {
  const folder = path.join("node_modules", "@readme", "oas-examples", version, "json");
  const found = readdirSync(fileURLToPath(new URL(`../../../${folder}`, import.meta.url)));
  return found.filter((name) => name.endsWith(".json")).map((name) => path.join(folder, name));
}
