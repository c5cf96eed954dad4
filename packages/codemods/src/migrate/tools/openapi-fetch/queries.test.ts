import { describe, expect, it } from "vitest";
import { migrateSources, type MigratedSources } from "../migrate-sources.support.js";

const result =
  "{ data?: object; error: { why: string } | null; isError: boolean; variables?: object; mutate(variables?: object, options?: object): void }";
/** The libraries, and a package with functions for queries. */
const libraries = {
  "node_modules/openapi-fetch/package.json": JSON.stringify({ name: "openapi-fetch", types: "index.d.ts" }),
  "node_modules/openapi-fetch/index.d.ts": `export interface Client<P> { GET(path: string, init?: object): Promise<{ data?: object; error?: object; response: Response }> }
export default function createClient<P>(options?: object): Client<P>;
`,
  "node_modules/openapi-react-query/package.json": JSON.stringify({ name: "openapi-react-query", types: "index.d.ts" }),
  "node_modules/openapi-react-query/index.d.ts": `interface Api {
  useQuery(method: string, path: string, init?: object, options?: object, client?: object): ${result};
  useSuspenseQuery: Api["useQuery"];
  useInfiniteQuery: Api["useQuery"];
  useMutation(method: string, path: string, options?: { onError?: (error: { why: string }) => void; [key: string]: unknown }): ${result};
  queryOptions(method: string, path: string, init?: object, options?: object): { queryKey: unknown[] };
}
export default function createQueryClient(client: object): Api;
`,
  "node_modules/@pets/client/package.json": JSON.stringify({
    name: "@pets/client",
    exports: { "./query": { types: "./query.d.ts" } },
  }),
  "node_modules/@pets/client/query.d.ts": `export declare function listPetsQuery(): object;
export declare function getPetQuery(): object;
export declare function createPetMutation(): object;
`,
  "src/client.ts": `import createFetchClient from "openapi-fetch";
import createQueryClient from "openapi-react-query";
const fetchClient = createFetchClient({ baseUrl: "/" });
export const $api = createQueryClient(fetchClient);
`,
};

const head = `import { $api } from "./client";
declare const queries: { invalidateQueries(filter: object): void; setQueryData(key: unknown[], data: object): void; prefetchQuery(options: object): void };
`;
const migrate = (
  sources: Readonly<Record<string, string>>,
  options: Parameters<typeof migrateSources>[3] = {},
): Promise<MigratedSources> => migrateSources("openapi-fetch", sources, libraries, options);

async function migrateText(
  text: string,
): Promise<{ readonly text: string | undefined; readonly left: readonly string[] }> {
  const { texts, toDecide, notUnderstood } = await migrate({ "pets.tsx": head + text });
  return { text: texts["pets.tsx"], left: [...toDecide, ...notUnderstood] };
}

describe("queries of openapi-react-query", () => {
  it("become those of the generated package, and what created them goes", async () => {
    const { texts, toDecide, notUnderstood } = await migrate({
      "pets.tsx": `${head}export const usePets = () => $api.useQuery("get", "/pets", { params: { query: { tag: "a" } } });
export const useSome = () => $api.useSuspenseQuery("get", "/pets", undefined, { enabled: true }, queries);
export const usePages = () =>
  $api.useInfiniteQuery(
    "get",
    "/pets",
    { params: { query: { tag: "a" } } },
    {
      initialPageParam: 1,
      pageParamName: "page",
      getNextPageParam: () => 2,
    },
  );
export function useCreate() {
  const { mutate, error } = $api.useMutation("post", "/pets", {
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ["get", "/pets"] });
      queries.invalidateQueries($api.queryOptions("get", "/pets"));
      queries.setQueryData($api.queryOptions("get", "/pets/{pet-id}", { params: { path: { "pet-id": 1 } } }).queryKey, {});
    },
    onError: (error) => console.error(error.why),
  });
  mutate({ body: { name: "Rex" } });
  return error?.why;
}
`,
    });
    expect(texts["pets.tsx"]).toMatchInlineSnapshot(`
      "import { type ApiError, type Problem, listPets } from "@pets/client";
      import { createPetMutation, getPetQuery, listPetsQuery } from "@pets/client/query";
      import { fetchClient } from "./client";
      import { queryOptions, useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
      declare const queries: { invalidateQueries(filter: object): void; setQueryData(key: unknown[], data: object): void; prefetchQuery(options: object): void };
      export const usePets = () => useQuery(listPetsQuery(fetchClient, { query: { tag: "a" } }));
      export const useSome = () => useSuspenseQuery({ ...listPetsQuery(fetchClient), enabled: true }, queries);
      export const usePages = () =>
        useInfiniteQuery({
          queryKey: [...listPetsQuery(fetchClient, { query: { tag: "a" } }).queryKey, "pages"],
          queryFn: ({ pageParam, signal }) => listPets(fetchClient, { query: { tag: "a", page: pageParam } }, { signal }),
          initialPageParam: 1,
          getNextPageParam: () => 2,
        });
      export function useCreate() {
        const { mutate, error } = useMutation({
          ...createPetMutation(fetchClient),
          onSettled: undefined,
          onSuccess: () => {
            queries.invalidateQueries({ queryKey: listPetsQuery(fetchClient).queryKey });
            queries.invalidateQueries(listPetsQuery(fetchClient));
            queries.setQueryData(queryOptions(getPetQuery(fetchClient, { path: { "pet-id": 1 } })).queryKey, {});
          },
          onError: (error) => console.error(((error as ApiError).body as Problem | undefined)?.why),
        });
        mutate({ body: { name: "Rex" } });
        return ((error as ApiError | null)?.body as Problem | undefined)?.why;
      }
      "
    `);
    expect(texts["client.ts"]).toMatchInlineSnapshot(`
      "import { createClient as createFetchClient } from "@pets/client";
      export const fetchClient = createFetchClient({ baseUrl: "/" });
      "
    `);
    expect([...toDecide, ...notUnderstood]).toEqual([]);
  });

  it.each([
    [
      "an error that is passed on",
      `export const f = (g: Function) => { const { error } = $api.useQuery("get", "/pets"); g(error); };`,
    ],
    [
      "a mutation that is passed on",
      `export const f = (g: Function) => { const { mutate } = $api.useMutation("post", "/pets"); g(mutate); };`,
    ],
    [
      "variables in a variable",
      `export const f = (g: object) => { const { mutate } = $api.useMutation("post", "/pets"); mutate(g); };`,
    ],
    [
      "a callback that reads variables",
      `export const f = () => $api.useMutation("post", "/pets", { onSuccess: (data: object, sent: object) => sent });`,
    ],
    ["options of a mutation in a variable", `export const f = (g: object) => $api.useMutation("post", "/pets", g);`],
    [
      "pages that begin anywhere",
      `export const f = (start: number) => $api.useInfiniteQuery("get", "/pets", {}, { initialPageParam: start });`,
    ],
    ["a method that changes something", `export const f = () => $api.useQuery("post", "/pets");`],
    [
      "a key without its parameters",
      `export const f = () => $api.useQuery("get", "/pets/{pet-id}", { params: { path: { "pet-id": 1 } } }); export const key = ["get", "/pets/{pet-id}"];`,
    ],
  ])("stay with %s", async (_, text) => {
    const { text: migrated, left } = await migrateText(`${text}\n`);
    expect(migrated).toBeUndefined();
    expect(left.length).toBeGreaterThan(0);
  });

  it("stay where they are used in another way, beside those that move", async () => {
    const { texts, notUnderstood } = await migrate({
      "pets.tsx": `${head}export const usePets = () => $api.useQuery("get", "/pets");
export const f = (id: number, g: Function) => g($api.useQuery("get", "/pets/{pet-id}", { params: { path: { "pet-id": id } } }));
`,
    });
    expect(texts["pets.tsx"]).toMatchInlineSnapshot(`
      "import { $api, apiFetchClient } from "./client";
      import { listPetsQuery } from "@pets/client/query";
      import { useQuery } from "@tanstack/react-query";
      declare const queries: { invalidateQueries(filter: object): void; setQueryData(key: unknown[], data: object): void; prefetchQuery(options: object): void };
      export const usePets = () => useQuery(listPetsQuery(apiFetchClient));
      export const f = (id: number, g: Function) => g($api.useQuery("get", "/pets/{pet-id}", { params: { path: { "pet-id": id } } }));
      "
    `);
    expect(texts["client.ts"]).toMatchInlineSnapshot(`
      "import createFetchClient from "openapi-fetch";
      import createQueryClient from "openapi-react-query";
      import { createClient } from "@pets/client";
      const fetchClient = createFetchClient({ baseUrl: "/" });
      export const apiFetchClient = createClient({ baseUrl: "/" });
      export const $api = createQueryClient(fetchClient);
      "
    `);
    expect(notUnderstood).toMatchInlineSnapshot(`
      [
        "pets.tsx:4 The code around \`useQuery\` uses GET /pets/{pet-id} in another way.",
      ]
    `);
  });

  it("move together with what uses their data in the cache", async () => {
    const list = `${head}export const usePets = () => $api.useQuery("get", "/pets");\n`;
    const change = `${head}export const f = () => queries.invalidateQueries({ queryKey: ["get", "/pets"] });\n`;
    const early = await migrate({ "change.ts": change, "list.ts": list }, { code: ["client.ts", "list.ts"] });
    expect(early.texts).not.toHaveProperty(["list.ts"]);
    expect(early.notUnderstood).toMatchInlineSnapshot(`
      [
        "list.ts:3 The call stays, since other code uses the cached data of \`listPets\`.",
      ]
    `);
  });
});
