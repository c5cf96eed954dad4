import { gzipSync } from "node:zlib";
import type * as library from "@cloud-compute/client";
import swc from "@swc/core";
import { build, transform } from "esbuild";
import { minify as oxc } from "rolldown/utils";
import { minify as terser } from "terser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startLoopback, type Loopback } from "../support/loopback.js";
import { repository } from "../support/places.js";

/** Bytes of a bundle, minified and compressed as they are sent to a browser, and its text. */
async function bundled(
  names: readonly string[],
  use: string,
  minify = true,
): Promise<{ readonly bytes: number; readonly text: string }> {
  const contents = `import { ${names.join(", ")} } from "@cloud-compute/client";\n${use}`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: `${repository}/test`, loader: "ts" },
    bundle: true,
    minify,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
  });
  const [file] = outputFiles;
  return { bytes: gzipSync(file?.contents ?? "", { level: 9 }).length, text: file?.text ?? "" };
}

const one =
  'const client = createClient({ token: "t" });\nconsole.log(await getInstance(client, { path: { computeId: 1 } }));\n';
const get = ["createClient", "getInstance"] as const;

/** Bytes of that bundle. A program that calls `fetch` itself has about 200. 32 are for the messages of errors of other forms, one for other short names. */
const bytesOfOne = 2081;

it("a bundle that calls one operation contains only its code", async () => {
  const { bytes, text } = await bundled(get, one);
  expect(bytes).toBeLessThanOrEqual(bytesOfOne);
  expect(bytes).toBeGreaterThan(bytesOfOne * 0.85);
  // Remaining code of helpers would contain these names.
  for (const trace of [
    "retry-after",
    "page without",
    "waiting for",
    "TransformStream",
    "instance-creates",
    "content-length",
  ])
    expect(text).not.toContain(trace);
});

/** What each helper may add to that bundle, and a text of its own by which it is seen to be there. */
const helpers: readonly (readonly [name: string, use: string, budget: number, trace: string])[] = [
  [
    "paginateList",
    "for await (const each of paginateList(listInstances, client)) console.log(each);",
    1000,
    "page without",
  ],
  // Ten bytes for the units in the names of options, and 16 since calls have less text in common with it.
  ["waitForInstance", 'console.log(await waitForInstance(client, 1, "running"));', 1076, "waiting for"],
  ["withRetry", "console.log(createClient({ fetch: withRetry() }));", 650, "retry-after"],
  ["withRateLimit", "console.log(createClient({ fetch: withRateLimit() }));", 725, "instance-creates"],
  [
    "withResponseLimit",
    "console.log(createClient({ fetch: withResponseLimit({ maxBytes: 1 }) }));",
    250,
    "TransformStream",
  ],
  [
    "withResponse",
    "console.log(await withResponse(getInstance(client, { path: { computeId: 1 } })));",
    120,
    "needs the promise",
  ],
  [
    "createOAuth2",
    'console.log(createClient(createOAuth2({ tokenUrl: "https://id.example/token", clientId: "a" })));',
    1700,
    "client_credentials",
  ],
  ["putImageData", 'console.log(await putImageData(client, { to: "/a", body: new Blob() }));', 750, "content-length"],
];

it.each(helpers)("%s has its price", async (name, use, budget, trace) => {
  // Listing is paid for as every other call is.
  const more = name === "paginateList" ? ["listInstances"] : [];
  const calls = one + more.map((each) => `console.log(await ${each}(client));\n`).join("");
  const without = await bundled([...get, ...more], calls);
  const { bytes, text } = await bundled([...get, ...more, name], calls + use);
  expect(text).toContain(trace);
  expect(bytes - without.bytes).toBeGreaterThan(budget / 3);
  expect(bytes - without.bytes).toBeLessThanOrEqual(budget);
});

it("a further operation costs a line", async () => {
  // They need the same encoders as the first two.
  const further = [
    "getDomain",
    "getCluster",
    "getClusterNode",
    "getToken",
    "getProfile",
    "getEvent",
    "listTaggedObjects",
  ];
  const exporting = (names: readonly string[]): string => `export const operations = { ${names.join(", ")} };\n`;
  const first = [...get, "listTags"];
  const all = [...first, ...further];
  const { text: least } = await bundled(first, exporting(first));
  const { text } = await bundled(all, exporting(all));
  // Without the names, which the bundle has because it exports them.
  const names = further.map((name) => `${name}:,`).join("").length;
  expect((text.length - least.length - names) / further.length).toBeLessThanOrEqual(45);
});

it("the queries of an operation have their price", async () => {
  const importing = 'import { getInstanceQuery, updateInstanceMutation } from "@cloud-compute/client/query";\n';
  const update = 'console.log(await updateInstance(client, { path: { computeId: 1 }, body: { label: "a" } }));\n';
  const calls = await bundled([...get, "updateInstance"], one + update);
  const use = "console.log(getInstanceQuery(client, { path: { computeId: 1 } }), updateInstanceMutation(client));\n";
  const { bytes, text } = await bundled([...get, "updateInstance"], importing + one + update + use);
  expect(text).toContain("invalidates");
  expect(text).not.toContain("listInstances");
  expect(bytes - calls.bytes).toBeGreaterThan(100);
  expect(bytes - calls.bytes).toBeLessThanOrEqual(340);
});

/** By the tools that use them in production builds. */
const minifiers: Readonly<Record<string, (text: string) => Promise<string | undefined>>> = {
  "SWC (Next.js, Rspack, Parcel)": async (text) =>
    (await swc.minify(text, { module: true, compress: true, mangle: true })).code,
  "terser (webpack)": async (text) => (await terser(text, { module: true })).code,
  esbuild: async (text) => (await transform(text, { minify: true })).code,
  "oxc (Vite)": async (text) => (await oxc("client.js", text)).code,
};

const calling: readonly (readonly [how: string, options: library.ClientOptions, headers: object])[] = [
  ["a token that is a text", { token: "t" }, { authorization: "Bearer t" }],
  ["a token that is a function", { token: async () => "t" }, { authorization: "Bearer t" }],
  ["no token", {}, {}],
  ["`onRequest`", { onRequest: ({ headers }) => headers.set("x-trace", "1") }, { "x-trace": "1" }],
];

const used = [...get, "withResponse"] as const;

describe.each(Object.entries(minifiers))("minified by %s", (_, minify) => {
  let server: Loopback;
  let client: Pick<typeof library, (typeof used)[number]>;
  beforeAll(async () => {
    server = await startLoopback();
    server.answer({ status: 200, headers: { "content-type": "application/json" }, body: '{"id":1}' });
    const { text } = await bundled(used, `export { ${used.join(", ")} };`, false);
    client = (await import(`data:text/javascript,${encodeURIComponent((await minify(text)) ?? "")}`)) as typeof client;
  });
  afterAll(() => server.close());

  it.each(calling)("a client calls with %s", async (__, options, headers) => {
    const { createClient, getInstance, withResponse } = client;
    const called = getInstance(createClient({ baseUrl: server.url, ...options }), { path: { computeId: 1 } });
    expect(await withResponse(called)).toMatchObject({ status: 200, data: { id: 1 } });
    expect(server.last()).toMatchObject({ line: "GET /compute/instances/1", headers });
  });
});
