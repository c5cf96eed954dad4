import { readFile } from "node:fs/promises";
import path from "node:path";
import { documents } from "@cloud-compute/description";
import { isJsonObject } from "@plumbline/kit/model";
import { beforeAll, describe, expect, it } from "vitest";
import { resolveReference, operationsOf, readDescription, type DocumentNode } from "../faults/peers/description.js";
import { repository } from "../support/places.js";
import { plumbline } from "../support/run.js";

/** Reads the bundled description as a tool without our extension fields does. */
describe("the bundled description", () => {
  let document: DocumentNode;
  beforeAll(async () => {
    document = await readDescription();
  });

  it("describes the items of each paginated list once, by a named schema", () => {
    const lists = pagesOf(document);
    expect(lists.length).toBeGreaterThan(15);
    expect(lists.filter(({ items }) => items.length !== 1 || !isReference(items[0]))).toEqual([]);
  });

  it("has no empty schema of items", () => {
    expect(nodesOf(document).filter(({ items }) => isJsonObject(items) && Object.keys(items).length === 0)).toEqual([]);
  });

  it("selects objects that differ in a constant by a discriminator", () => {
    const unions = taggedUnions(document);
    expect(unions.map(({ property }) => property).toSorted()).toEqual(["tag", "type", "type", "type"]);
    expect(unions.filter(({ mapping, wanted }) => JSON.stringify(mapping) !== JSON.stringify(wanted))).toEqual([]);
  });

  it("names the scopes of each operation by OAuth 2, with a description of each scope", () => {
    const { oauth } = resolveReference(document["components"], document)["securitySchemes"] as Record<
      string,
      DocumentNode
    >;
    const { authorizationCode } = resolveReference(oauth, document)["flows"] as Record<string, DocumentNode>;
    const scopes = resolveReference(authorizationCode, document)["scopes"] as Record<string, string>;
    expect(Object.values(scopes).filter((each) => each.trim() === "")).toEqual([]);
    const named = [...operationsOf(document).values()].flatMap(({ operation }) => securityOf(operation, "oauth"));
    expect(named.length).toBeGreaterThan(80);
    expect(named.flat().filter((scope) => !Object.hasOwn(scopes, scope))).toEqual([]);
  });

  it("names the causes in the 400 response of each operation, its own rules after the general one", () => {
    const described = [...operationsOf(document)].flatMap(([name, { operation }]) => {
      const response = (operation["responses"] as DocumentNode)["400"];
      return response === undefined
        ? []
        : [[name, String(resolveReference(response, document)["description"])] as const];
    });
    const general = "The request is not as this description asks";
    expect(described.filter(([, text]) => !text.startsWith(general))).toEqual([]);
    expect(new Map(described).get("cloneDomain")).toBe(
      `${general}. One entry for each problem; nothing has changed.\n\nAmong the causes:\n\n- The name exists already, here or on another account.`,
    );
  });
});

describe("the documents that the build of the package prints", () => {
  it.each([
    ["json", []],
    ["plain", ["--without-extensions"]],
  ] as const)("are those of plumbline bundle: %s", async (form, options) => {
    const client = ["--client", "@cloud-compute/client"];
    const { out } = await plumbline(["bundle", "openapi.yaml", ...client, ...options], {
      in: path.join(repository, "spec"),
    });
    expect(await readFile(documents[form], "utf8")).toBe(out);
  });
});

describe("a description", () => {
  const item = { $ref: "#/components/schemas/Item" };
  const data = (items: unknown) => ({ properties: { data: { type: "array", items } } });
  const list = (...allOf: readonly unknown[]) => ({
    paths: {
      "/items": {
        get: {
          operationId: "listItems",
          responses: { "200": { content: { "application/json": { schema: { allOf } } } } },
        },
      },
    },
  });

  it("fails with a list whose items are described twice", () => {
    expect(pagesOf(list(data({}), data(item)))).toEqual([{ name: "listItems", items: [{}, item] }]);
    expect(pagesOf(list({ type: "object" }, data(item)))).toEqual([{ name: "listItems", items: [item] }]);
  });

  it("fails with a union without a discriminator, or with one that omits a branch", () => {
    const branch = (kind: string) => ({ required: ["kind"], properties: { kind: { const: kind }, other: {} } });
    const schemas = { Cat: branch("cat"), Dog: branch("dog") };
    const oneOf = [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }];
    const wanted = { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" };
    const within = (union: DocumentNode) => taggedUnions({ components: { schemas: { ...schemas, Pet: union } } });
    expect(within({ oneOf })).toEqual([{ property: "kind", mapping: undefined, wanted }]);
    const discriminator = { propertyName: "kind", mapping: { cat: wanted.cat } };
    expect(within({ oneOf, discriminator })).toEqual([{ property: "kind", mapping: { cat: wanted.cat }, wanted }]);
    expect(within({ oneOf: [{ type: "string" }, { type: "null" }] })).toEqual([]);
  });
});

interface Page {
  readonly name: string;
  /** Each schema of the items that the response's body has. */
  readonly items: readonly unknown[];
}

/** The responses with a list in `data`, by their operations. */
function pagesOf(document: DocumentNode): readonly Page[] {
  return [...operationsOf(document)].flatMap(([name, { operation }]) => {
    const response = resolveReference((operation["responses"] as DocumentNode)["200"], document);
    const media = resolveReference(resolveReference(response["content"], document)["application/json"], document);
    const items = partsOf(media["schema"], document).flatMap(({ properties }) => {
      const field = resolveReference(resolveReference(properties, document)["data"], document);
      return field["type"] === "array" ? [field["items"]] : [];
    });
    return items.length === 0 ? [] : [{ name, items }];
  });
}

/** A schema and those that `allOf` adds to it. */
function partsOf(schema: unknown, document: DocumentNode): readonly DocumentNode[] {
  const node = resolveReference(schema, document);
  const { allOf } = node;
  return [node, ...(Array.isArray(allOf) ? allOf.flatMap((each) => partsOf(each, document)) : [])];
}

interface Union {
  readonly property: string;
  readonly mapping: unknown;
  /** The mapping that the constants of the branches amount to. */
  readonly wanted: Readonly<Record<string, unknown>>;
}

/** The unions whose branches each require another constant in the same property. */
function taggedUnions(document: DocumentNode): readonly Union[] {
  return nodesOf(document).flatMap(({ oneOf, discriminator }) => {
    if (!Array.isArray(oneOf) || oneOf.length < 2) return [];
    const tags = oneOf.map((branch: unknown) => tagsOf(resolveReference(branch, document), document));
    const property = Object.keys(tags[0] ?? {}).find(
      (name) => new Set(tags.map((each) => each[name])).size === oneOf.length,
    );
    if (property === undefined || tags.some((each) => each[property] === undefined)) return [];
    const wanted = Object.fromEntries(
      oneOf.map((branch: unknown, index) => [
        tags[index]?.[property],
        isReference(branch) ? branch["$ref"] : undefined,
      ]),
    );
    const { mapping } = resolveReference(discriminator, document);
    return [{ property, mapping, wanted }];
  });
}

/** The required properties with a constant. */
function tagsOf({ required, properties }: DocumentNode, document: DocumentNode): Readonly<Record<string, string>> {
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(
    names.flatMap((name) => {
      const { const: value } = resolveReference(resolveReference(properties, document)[name], document);
      return typeof value === "string" ? [[name, value] as const] : [];
    }),
  );
}

function securityOf(operation: DocumentNode, scheme: string): readonly (readonly string[])[] {
  const security = operation["security"] as readonly Readonly<Record<string, readonly string[]>>[] | undefined;
  return (security ?? []).flatMap((alternative) => alternative[scheme] ?? []).map((each) => [each]);
}

function isReference(value: unknown): value is DocumentNode {
  return isJsonObject(value) && typeof value["$ref"] === "string";
}

/** Every object of a document. */
function nodesOf(value: unknown): readonly DocumentNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(nodesOf)] : [];
}
