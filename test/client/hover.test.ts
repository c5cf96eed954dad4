import { describe, expect, it } from "vitest";
import { open } from "../support/editor.js";

const start = `import { createClient, createDomainRecord, createInstance, getInstance } from "@cloud-compute/client";
import { listInstances, toResult, updateInstance, type InstanceUpdate } from "@cloud-compute/client";
const client = createClient({ token: "" });
`;

describe("an editor", () => {
  it("shows names, not expanded types, for the results of calls", () => {
    const editor = open(`${start}
const instance = await getInstance(client, { path: { computeId: 5 } });
const page = await listInstances(client);
const made = await createInstance(client, { body: { region: "us-east", type: "g6-standard-1" } });
const [first] = page.data;
const status = instance.status;
`);
    expect(editor.errors()).toEqual([]);
    expect(editor.hover("const instance")).toBe("const instance: Instance\n");
    expect(editor.hover("const page")).toBe("const page: InstancePage\n");
    expect(editor.hover("const made")).toBe("const made: Instance\n");
    expect(editor.hover("const [first")).toBe("const first: Instance\n");
    expect(editor.hover("const status")).toMatch(
      /^const status: InstanceStatus\n|^const status: ("[a-z_]+"( \| )?)+\n/,
    );
  });

  it("shows for a function its scopes, limits, errors and source", () => {
    const shown = open(`${start}void createInstance;`).hover("void createInstance");
    expect(shown).toContain(
      "const createInstance: (client: Client, request: CreateInstanceRequest, options?: CallOptions) => " +
        "ApiPromise<Instance, CreateInstanceError, CreateInstanceSuccess>",
    );
    expect(shown).toContain("\n- Needs `computes:read_write`.\n");
    expect(shown).toContain("\n- Limit `instance-creates`: at most 10 requests within 30 seconds per user.\n");
    expect(shown).toMatch(/\nFails with:\n/);
    expect(shown).toMatch(/From spec\/instances\/paths\.yaml#\/instances\/post$/);
  });

  it("shows the limits of a field", () => {
    const editor = open(`${start}
await createInstance(client, { body: { region: "us-east", type: "g6-standard-1", swap_size: 512 } });
await listInstances(client, { query: { page_size: 25 } });
`);
    expect(editor.hover("swap_size")).toMatch(/swap_size\?: number.*\n.*\bMB\b.*At least 0/);
    expect(editor.hover("page_size")).toMatch(/page_size\?: number.*\n.*25 to 500\..*Default: 100\./);
  });

  it("offers the fields of a body, of a query and of a response", () => {
    const editor = open(`${start}
await createInstance(client, { body: {  } });
await listInstances(client, { query: {  } });
const body: InstanceUpdate = {};
body.;
const instance = await getInstance(client, { path: { computeId: 5 } });
instance.;
`);
    const ofCreate = editor.completions("{ body: { ");
    expect(ofCreate).toEqual(expect.arrayContaining(["region", "type", "label", "image", "root_pass", "backup_id"]));
    expect(ofCreate).not.toContain("id");
    expect(editor.completions("{ query: { ")).toEqual(["page", "page_size"]);
    expect(editor.completions("\nbody.")).toEqual(
      expect.arrayContaining(["label", "tags", "alerts", "watchdog_enabled"]),
    );
    expect(editor.completions("\nbody.")).not.toContain("id");
    expect(editor.completions("\ninstance.")).toEqual(expect.arrayContaining(["id", "status", "ipv4", "created"]));
    expect(editor.completions("\ninstance.")).not.toContain("root_pass");
  });

  it("offers the statuses of an instance", () => {
    const editor = open(`${start}
const instance = await getInstance(client, { path: { computeId: 5 } });
if (instance.status === "") console;
`);
    expect(editor.completions('instance.status === "')).toEqual(
      expect.arrayContaining(["running", "offline", "provisioning"]),
    );
  });

  it("narrows the result of toResult, by success and by status", () => {
    const editor = open(`${start}
const result = await toResult(getInstance(client, { path: { computeId: 5 } }));
if (result.ok) {
  const data = result.data;
} else if (result.error.status === 404) {
  const body = result.error.body;
} else if (result.error.status === 0) {
  const nothing = result.error.body;
} else if (result.error.status === 418) {
  const undocumented = result.error.body;
}
result.data;
`);
    expect(editor.hover("const data")).toBe("const data: Instance\n");
    expect(editor.hover("const body")).toBe("const body: Errors\n");
    expect(editor.hover("const nothing")).toBe("const nothing: undefined\n");
    expect(editor.hover("const undocumented")).toBe("const undocumented: Errors\n");
    expect(editor.errors()).toEqual([
      { at: "data", says: expect.stringContaining("Property 'data' does not exist") as string },
    ]);
  });
});

describe("the compiler", () => {
  it.each([
    [
      "a field that is missing",
      'await createInstance(client, { body: { type: "g6-standard-1" } });',
      "body",
      "Property 'region' is missing",
    ],
    ["a request that is missing", "await getInstance(client);", "getInstance", "Expected 2-3 arguments, but got 1"],
    [
      "a path that is missing",
      "await updateInstance(client, { body: {} });",
      "{ body: {} }",
      "Property 'path' is missing",
    ],
    [
      "a misspelt key of a query",
      "await listInstances(client, { query: { pagesize: 25 } });",
      "pagesize",
      "'pagesize' does not exist in type",
    ],
    [
      "a misspelt field of a body",
      'await updateInstance(client, { path: { computeId: 5 }, body: { lable: "" } });',
      "lable",
      "'lable' does not exist in type",
    ],
    [
      "a read-only field",
      "await updateInstance(client, { path: { computeId: 5 }, body: { id: 6 } });",
      "id",
      "'id' does not exist in type",
    ],
    [
      "another type",
      'await getInstance(client, { path: { computeId: "5" } });',
      "computeId",
      "Type 'string' is not assignable to type 'number'",
    ],
    [
      "an invalid value",
      'await createDomainRecord(client, { path: { domainId: 1 }, body: { type: "X" } });',
      "type",
      `Type '"X"' is not assignable to type`,
    ],
    ["a misspelt option", "createClient({ tokn: 1 });", "tokn", "'tokn' does not exist in type"],
    [
      "a status that an instance never has",
      'if ((await getInstance(client, { path: { computeId: 5 } })).status === "runing") throw 0;',
      "",
      "have no overlap",
    ],
  ])("underlines %s", (_, line, at, says) => {
    const [error, ...others] = open(`${start}${line}`).errors();
    expect(others).toEqual([]);
    expect(error?.says).toContain(says);
    expect(error?.at).toContain(at);
  });
});

describe("an editor of a server's author", () => {
  const given = `import { createServer, errors, type Handlers } from "@cloud-compute/server";
`;

  it("shows names for the input and the result of a handler", () => {
    const editor = open(`${given}
const handlers: Partial<Handlers> = {
  bootInstance: async (input, context) => {
    const { target, body } = input;
    const { caller } = context;
    return { status: 200, body: {} };
  },
};
`);
    expect(editor.errors()).toEqual([]);
    expect(editor.hover("async (input")).toBe("(parameter) input: BootInstanceHandlerInput<Resources>\n");
    expect(editor.hover("(input, context")).toBe("(parameter) context: AuthenticatedContext<RequestContext>\n");
    expect(editor.hover("const { target")).toMatch(/^const target: Instance\n/);
    expect(editor.hover("const { caller")).toMatch(/caller: Caller\n/);
    expect(editor.hover("  bootInstance")).toContain(
      "Handler<BootInstanceHandlerInput<Resources>, AuthenticatedContext<RequestContext>, BootInstanceResponse>",
    );
  });

  it("shows when the server responds with an error", () => {
    expect(open(`${given}errors.tooManyClones();`).hover("errors.tooManyClones")).toContain(
      "400: Five clones of the source are running",
    );
  });

  it("gets short messages of type errors", () => {
    const says = (handler: string) =>
      open(`${given}const handlers: Partial<Handlers> = { ${handler} };`)
        .errors()
        .map(({ says: reported }) => reported.split("\n").at(-1)?.trim());
    expect(says("getInstance: async ({ path }) => ({ status: 200, body: { id: path.computeId } })")).toEqual([
      "Type '{ id: number; }' is missing the following properties from type 'Instance': label, region, type, image, and 13 more.",
    ]);
    expect(says("deleteInstance: () => ({ status: 201, body: {} })")).toEqual([
      "Type '201' is not assignable to type 'ErrorStatus'.",
    ]);
    expect(says("getInstance: ({ target }) => ({ status: 200, body: { ...target, label: target.lable } })")).toEqual([
      "Property 'lable' does not exist on type 'Instance'. Did you mean 'label'?",
    ]);
    expect(says("bootInstances: () => ({ status: 200, body: {} })")).toEqual([
      expect.stringMatching(/'bootInstances' does not exist in type 'Partial<Handlers/),
    ]);
  });
});
