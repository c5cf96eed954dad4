import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { compareTypes } from "./compare-types.support.js";

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
const files = isFull ? [...own, "spec/openapi.yaml", ...others] : [...own, "spec/openapi.yaml"];

it.each(isFull ? (["5.9", "6", "7"] as const) : (["5.9"] as const))(
  "prints the types of openapi-typescript, as TypeScript %s says",
  async (compiler) => {
    const { compared, different, rejected, errors } = await compareTypes(files, { compiler });
    expect(errors).toEqual([]);
    expect(different.toSorted()).toEqual(isFull ? Object.keys(intended).toSorted() : []);
    expect(rejected).toEqual(files.filter((file) => unreadable.has(file)));
    expect(compared).toBeGreaterThan(isFull ? 1500 : 400);
  },
  300_000,
);

it("finds types that differ", async () => {
  const { different } = await compareTypes(["test/descriptions/annotated/library.yaml"], {
    options: { defaultNonNullable: false },
  });
  expect(different).toContain('test/descriptions/annotated/library.yaml components["schemas"]["NewBook"]');
}, 60_000);

function examplesOf(version: string): readonly string[] {
  const folder = path.join("node_modules", "@readme", "oas-examples", version, "json");
  const found = readdirSync(fileURLToPath(new URL(`../../../${folder}`, import.meta.url)));
  return found.filter((name) => name.endsWith(".json")).map((name) => path.join(folder, name));
}
