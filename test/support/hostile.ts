import { execFileSync } from "node:child_process";
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";

/** A description with these schemas and parameters only. */
export function withParts(schemas: object, parameters: readonly object[] = [], more: object = {}): string {
  const responses = { "200": { description: "It." }, "400": { description: "No." } };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1.0.0" },
    servers: [{ url: "https://pets.example" }],
    security: [],
    paths: { "/pets": { get: { operationId: "listPets", parameters, responses } } },
    components: { schemas },
    ...more,
  });
}

/** Descriptions that are too large to keep, by the names that they have in the table. */
export const large: Readonly<Record<string, () => string>> = {
  "nested-10000.json": () => withParts({}, [], { "x-deep": "DEEP" }).replace('"DEEP"', nested(10_000)),
  "nested-95.json": () => withParts({}, [], { "x-deep": "DEEP" }).replace('"DEEP"', nested(95)),
  "nested-schemas.json": () => withParts({ Deep: inside(40, (schema) => ({ properties: { a: schema } })) }),
  "nested-lists.json": () => withParts({ Deep: inside(80, (items) => ({ type: "array", items })) }),
  "long-names.json": () => {
    const long = "x".repeat(100_000);
    const schema = { type: "object", title: long, properties: { [long]: { enum: [long], description: long } } };
    const parameter = { name: long, in: "query", schema: { $ref: `#/components/schemas/${long}` } };
    return withParts({ [long]: schema }, [parameter], { info: { title: long, version: long } }).replaceAll(
      "listPets",
      long,
    );
  },
  "long-areas.json": () =>
    withParts({}).replaceAll('"operationId"', `"tags": ["${"x/".repeat(50_000)}"], "operationId"`),
  "many-values.json": () => withParts({ Many: { enum: Array.from({ length: 100_000 }, (_, index) => `v${index}`) } }),
  "long-chain-of-references.json": () => withParts(chain(5000, (next) => next)),
  "long-chain-of-fields.json": () => withParts(chain(5000, (next) => ({ type: "object", properties: { next } }))),
  "wide-and-deep-branches.json": () => {
    const schemas = chain(12, (next) => ({ allOf: Array.from({ length: 10 }, () => next) }));
    const schema = { $ref: "#/components/schemas/A0" };
    return withParts(schemas, [{ name: "a", in: "header", schema }]);
  },
};

/** Creates a folder with irregular files, and a description that refers to each. Returns its path. */
export async function oddFiles(folder: string): Promise<string> {
  await mkdir(path.join(folder, "folder.yaml"), { recursive: true });
  execFileSync("mkfifo", [path.join(folder, "pipe.yaml")]);
  await symlink("/dev/zero", path.join(folder, "zero.yaml"));
  await symlink("missing", path.join(folder, "nowhere.yaml"));
  await writeFile(path.join(folder, "huge.yaml"), "");
  await truncate(path.join(folder, "huge.yaml"), 200 * 2 ** 20);
  await writeFile(path.join(folder, "secret.yaml"), "password: hunter2\n  token: hunter2\n: [hunter2");
  await writeFile(path.join(folder, "notes.txt"), "password: hunter2");
  await writeFile(path.join(folder, "deep.yaml"), nested(10_000));
  await writeFile(path.join(folder, "circle.yaml"), "a: &a [*a]\n");
  const names = ["folder", "pipe", "zero", "nowhere", "huge", "secret", "deep", "circle"].map((name) => `${name}.yaml`);
  const description = path.join(folder, "odd-files.json");
  await writeFile(
    description,
    withParts(
      {},
      [...names, "notes.txt"].map((name) => ({ $ref: name })),
    ),
  );
  return description;
}

/** A description that names this address in every way in which one can be named. */
export function namesOf(address: string): string {
  const schema = {
    oneOf: [{ $ref: `${address}/schema.json` }],
    discriminator: { propertyName: "a", mapping: { a: `${address}/mapping.json` } },
    $schema: `${address}/dialect.json`,
    $id: `${address}/id.json`,
  };
  const more = { externalDocs: { url: `${address}/docs` }, jsonSchemaDialect: `${address}/dialect.json` };
  return withParts({ Pet: schema }, [{ $ref: `${address}/parameter.yaml` }], more).replace(
    '"200":{',
    `"200":{"content":{"application/json":{"examples":{"a":{"externalValue":"${address}/example.json"}}}},`,
  );
}

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

function inside(depth: number, context: (schema: object) => object): object {
  return depth === 0 ? { type: "string" } : context(inside(depth - 1, context));
}

function chain(length: number, link: (next: object) => object): Readonly<Record<string, object>> {
  const schemas = Array.from(
    { length },
    (_, index) => [`A${index}`, link({ $ref: `#/components/schemas/A${index + 1}` })] as const,
  );
  return Object.fromEntries([...schemas, [`A${length}`, { type: "string" }] as const]);
}
