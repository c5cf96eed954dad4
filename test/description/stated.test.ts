import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { readModel, type Api } from "../support/model.js";
import { repository } from "../support/places.js";

let api: Api;
beforeAll(async () => {
  api = await readModel();
});

describe("a response", () => {
  const image = {
    id: "private/1",
    label: "disk",
    description: null,
    created: "2024-03-05T14:01:01Z",
    updated: "2024-03-05T14:01:01Z",
    created_by: "compute",
    deprecated: false,
    eol: null,
    expiry: null,
    is_public: false,
    size: 1,
    status: "available",
    type: "manual",
    vendor: null,
  };

  it("has an expiry for automatic images only", () => {
    const fits = validator("Image");
    const expiry = "2024-03-19T14:01:01Z";
    expect([fits(image), fits({ ...image, type: "automatic", expiry })]).toEqual([true, true]);
    expect(fits({ ...image, expiry })).toBe(false);
  });

  it("marks public images only as deprecated", () => {
    const fits = validator("Image");
    expect(fits({ ...image, id: "compute/debian9", is_public: true, deprecated: true })).toBe(true);
    expect(fits({ ...image, deprecated: true })).toBe(false);
  });

  it.each(["App", "Token"])("has the scopes of an %s as pairs with commas between them, or *", (name) => {
    const { properties } = schemas()[name] as { readonly properties: { readonly scopes: object } };
    const fits = new Ajv2020({ strict: false }).compile(properties.scopes);
    const right = ["*", "computes:read_only", "account:read_write,object_storage:read_only"];
    const wrong = [
      "",
      "computes",
      "computes:view",
      "computes:read_only domains:read_only",
      "computes:read_only,",
      "*,account:read_only",
    ];
    expect(right.filter((each) => !fits(each))).toEqual([]);
    expect(wrong.filter((each) => fits(each))).toEqual([]);
  });
});

describe("an effect", () => {
  it("states its action, and its object", () => {
    const tags = new Set(["kube", "domains"]);
    const effects = api.operations.filter(({ tag }) => !tags.has(tag)).flatMap((operation) => operation.effects);
    const silent = effects.filter(({ does, to }) => does === undefined || to === undefined).map(({ id }) => id);
    expect(silent).toEqual(Object.keys(withoutField));
  });

  it("that creates or changes something states the values, except for those without a field", () => {
    const changing = new Set(["create", "set", "add", "remove"]);
    const tags = new Set(["kube", "domains"]);
    const effects = api.operations.filter(({ tag }) => !tags.has(tag)).flatMap((operation) => operation.effects);
    const bare = effects
      .filter(({ does, values, count }) => changing.has(does ?? "") && Object.keys(values).length === 0 && count !== 0)
      .map(({ id }) => id);
    expect(bare).toEqual(Object.keys(withoutValues));
  });
});

describe("a tag on an object", () => {
  it.each(["Instance", "Domain", "Volume", "NodeBalancer"])("goes from the %s with the tag", (name) => {
    const shape = api.schemas.find((each) => each.name === name)?.schema;
    const tags = shape?.properties?.find((property) => property.name === "tags")?.schema;
    expect(tags?.items?.reference).toMatchObject({ to: "Tag", onDelete: "set-null" });
  });
});

/** Effects without a visible field, each with the reason. */
const withoutField = {
  "last-booted-config": "No field shows which config was booted last.",
  "scratch-code-once": "The state machine ScratchCode states it; no field shows the code later.",
};

/** Effects that copy values without an expression in the description. */
const withoutValues = {
  "clone-copies-disks": "No operation of the description reads the disks of the source.",
  "clone-copies-configs": "The configs are those of the source that the body lists, or all of them.",
};

function validator(name: string): (value: unknown) => boolean {
  const check = new Ajv2020({ strict: false, validateFormats: false }).compile({
    $defs: schemas(),
    $ref: `#/$defs/${name}`,
  });
  return (value) => check(value);
}

function schemas(): Readonly<Record<string, object>> {
  const suite = readFileSync(path.join(repository, "packages", "conformance", "data", "suite.json"), "utf8");
  return (JSON.parse(suite) as { readonly schemas: Readonly<Record<string, object>> }).schemas;
}
