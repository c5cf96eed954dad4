import { describe, expect, it } from "vitest";
import { migrateSources, type MigratedSources } from "../migrate-sources.support.js";

const library = {
  "node_modules/openapi-fetch/package.json": JSON.stringify({ name: "openapi-fetch", types: "index.d.ts" }),
  "node_modules/openapi-fetch/index.d.ts": `export interface Client<P> { GET(path: string, init?: object): Promise<{ data?: object; error?: object; response: Response }>; POST: Client<P>["GET"]; use(...middleware: object[]): void; eject(...middleware: object[]): void }
export default function createClient<P>(options?: object): Client<P>;
`,
  "src/schema.d.ts": "export interface paths {}\nexport interface components {}\n",
};

const setUp = `import createFetchClient from "openapi-fetch";
import type { paths } from "./schema";
const auth = {
  async onRequest({ request }) {
    request.headers.set("Authorization", "Bearer t-1");
    return request;
  },
};
export const fetchClient = createFetchClient<paths>({ baseUrl: "https://api.example.com" });
fetchClient.use(auth);
`;
const queries = `import createQueryClient from "openapi-react-query";
import { fetchClient } from "./client";
export const $api = createQueryClient(fetchClient);
export const held = [$api];
`;
const list = `import { fetchClient } from "./client";
export const pets = async () => (await fetchClient.GET("/pets")).data!;
`;
const passed = `import type { Client } from "openapi-fetch";
import { fetchClient } from "./client";
import type { paths } from "./schema";
export const load = async (client: Client<paths>) => (await client.GET("/pets")).data!;
export const again = (client: Client<paths>) => load(client);
export const loaded = load(fetchClient);
`;

const migrate = (
  sources: Readonly<Record<string, string>>,
  options: Parameters<typeof migrateSources>[3] = {},
): Promise<MigratedSources> => migrateSources("openapi-fetch", sources, library, options);

describe("a client of openapi-fetch", () => {
  it("stays beside the new one as long as another library uses it", async () => {
    const { texts } = await migrate({ "client.ts": setUp, "list.ts": list, "queries.ts": queries });
    expect(texts["client.ts"]).toMatchInlineSnapshot(`
      "import createFetchClient from "openapi-fetch";
      import type { paths } from "./schema";
      import { createClient } from "@pets/client";
      const auth = {
        async onRequest({ request }) {
          request.headers.set("Authorization", "Bearer t-1");
          return request;
        },
      };
      export const fetchClient = createFetchClient<paths>({ baseUrl: "https://api.example.com" });
      export const apiFetchClient = createClient({ baseUrl: "https://api.example.com", onRequest: async (request) => {
          request.headers.set("Authorization", "Bearer t-1");
        } });
      fetchClient.use(auth);
      "
    `);
    expect(texts["list.ts"]).toMatchInlineSnapshot(`
      "import { apiFetchClient } from "./client";
      import { listPets } from "@pets/client";
      export const pets = async () => await listPets(apiFetchClient);
      "
    `);
    expect(texts).not.toHaveProperty(["queries.ts"]);
  });

  it("goes once nothing uses it", async () => {
    const first = await migrate({ "client.ts": setUp, "list.ts": list, "queries.ts": queries });
    const { "queries.ts": _, ...migrated } = { ...first.texts, "queries.ts": "" };
    const { texts } = await migrate(migrated);
    expect(texts["client.ts"]).toMatchInlineSnapshot(`
      "import { createClient } from "@pets/client";
      export const apiFetchClient = createClient({ baseUrl: "https://api.example.com", onRequest: async (request) => {
          request.headers.set("Authorization", "Bearer t-1");
        } });
      "
    `);
    expect(await migrate({ ...migrated, ...texts })).toMatchObject({ texts: {}, done: [] });
  });

  it("becomes the new one where all calls move at once", async () => {
    const { texts } = await migrate({ "client.ts": setUp, "list.ts": list, "passed.ts": passed });
    expect(texts["client.ts"]).toMatchInlineSnapshot(`
      "import { createClient as createFetchClient } from "@pets/client";
      export const fetchClient = createFetchClient({ baseUrl: "https://api.example.com", onRequest: async (request) => {
          request.headers.set("Authorization", "Bearer t-1");
        } });
      "
    `);
    expect(texts["passed.ts"]).toMatchInlineSnapshot(`
      "import { fetchClient } from "./client";
      import { type Client, listPets } from "@pets/client";
      export const load = async (client: Client) => await listPets(client);
      export const again = (client: Client) => load(client);
      export const loaded = load(fetchClient);
      "
    `);
  });

  it("stays where a call of a client that is passed on stays", async () => {
    const unknown = `${passed}export const all = (client: Client<paths>) => client.GET("/pets");\n`;
    const { texts, notUnderstood } = await migrate({ "client.ts": setUp, "list.ts": list, "passed.ts": unknown });
    expect(Object.keys(texts)).toEqual(["client.ts", "list.ts"]);
    expect(notUnderstood).toMatchInlineSnapshot(`
      [
        "passed.ts:4 The call stays, since other code uses clients that are passed on in another way.",
        "passed.ts:7 The code around the call uses the result of GET /pets in another way.",
      ]
    `);
  });

  it("stays where a part of its type is used", async () => {
    const part = `${passed}export type Get = Client<paths>["GET"];\n`;
    const { texts, notUnderstood } = await migrate({ "client.ts": setUp, "passed.ts": part });
    expect(texts).toEqual({});
    expect(notUnderstood).toContainEqual("passed.ts:7 A part of the type of clients has no rewrite.");
  });

  it("is renamed where it is passed on, beside the old one", async () => {
    const shared = `import { fetchClient } from "./client";\nexport const context = { fetchClient };\n`;
    const { texts } = await migrate({
      "client.ts": setUp,
      "passed.ts": passed,
      "queries.ts": queries,
      "shared.ts": shared,
    });
    expect(texts["passed.ts"]).toMatchInlineSnapshot(`
      "import { type Client, listPets } from "@pets/client";
      import { apiFetchClient } from "./client";
      export const load = async (client: Client) => await listPets(client);
      export const again = (client: Client) => load(client);
      export const loaded = load(apiFetchClient);
      "
    `);
    expect(texts["shared.ts"]).toMatchInlineSnapshot(`
      "import { apiFetchClient } from "./client";
      export const context = { fetchClient: apiFetchClient };
      "
    `);
  });

  it("stays for files that the migration does not see, which find the new one later", async () => {
    const sources = { "client.ts": setUp, "list.ts": list };
    const early = await migrate(sources, { code: ["list.ts"] });
    expect(early.texts).toEqual({});
    expect(early.notUnderstood).toMatchInlineSnapshot(`
      [
        "list.ts:2 The call stays with its client. The client is created in client.ts, which \`--code\` leaves out.",
      ]
    `);
    const first = await migrate(sources, { code: ["client.ts"] });
    expect(first.texts["client.ts"]).toContain("export const apiFetchClient = createClient(");
    const second = await migrate({ ...sources, ...first.texts }, { code: ["list.ts"] });
    expect(second.texts["list.ts"]).toContain("await listPets(apiFetchClient)");
    const third = await migrate({ ...sources, ...first.texts, ...second.texts });
    expect(third.texts["client.ts"]).not.toContain("openapi-fetch");
  });

  it.each([
    ["a second hook", "fetchClient.use({ onRequest: () => undefined });"],
    ["middleware in a function", "export const add = () => { fetchClient.use({ onResponse: () => undefined }); };"],
    ["middleware from elsewhere", "declare const other: object; fetchClient.use(other);"],
    ["middleware that is removed", "fetchClient.eject(auth);"],
  ])("stays with its calls where it has %s", async (_, line) => {
    const result = await migrate({ "client.ts": setUp + line, "list.ts": list });
    expect(result.texts).toEqual({});
    expect(result.toDecide).toEqual([expect.stringMatching(/^client.ts:11 /)]);
    expect(result.notUnderstood).toEqual([expect.stringContaining("list.ts:2 The call stays with its client.")]);
  });

  it("stays with its calls where another file adds middleware", async () => {
    const added = `import { fetchClient } from "./client";\nfetchClient.use({ onResponse: () => undefined });\n`;
    const result = await migrate({ "add.ts": added, "client.ts": setUp, "list.ts": list });
    expect(result.texts).toEqual({});
    expect(result.toDecide).toMatchInlineSnapshot(`
      [
        "add.ts:2 Another place adds middleware to the client. Add it where the client is created.",
      ]
    `);
    const unseen = await migrate(
      { "add.ts": added, "client.ts": setUp, "list.ts": list },
      { code: ["client.ts", "list.ts"] },
    );
    expect(unseen.texts).toEqual({});
  });
});
