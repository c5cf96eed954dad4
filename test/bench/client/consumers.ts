import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { heyApi, openapiTypescript, orval, ours } from "../generators.js";
import { manifestOf, peerFile, refusal, run, type Node } from "../peers.js";
import { repository } from "../places.js";
import type { Operation } from "./operations.js";

/** A consumer of an API, and the code that it writes for it. */
export interface Consumer {
  readonly name: string;
  /** The file that it creates from itself and its bundles. */
  readonly key: string;
  /** The code before the calls of these operations; `from` is the folder of the generated clients. */
  readonly setup: (operations: readonly Operation[], from: string) => string;
  /** Returns the call as an expression, from expressions for the parameters. */
  readonly call: (operation: Operation, given: Given) => string;
  /** Returns the expression of a successful call's value, from the awaited result. */
  readonly data: (result: string) => string;
}

/** Expressions by the names of the parameters. */
export interface Given {
  readonly path: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

export const baseUrl = "https://api.example/v4";

/** A call without any client, as careful people write it: a failure is thrown. */
export const bare: Consumer = {
  name: "bare fetch",
  key: "bare",
  setup: () => `async function get(url: string) {
  const response = await fetch(url, { headers: { authorization: "Bearer t" } });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}
`,
  call: ({ template }, { path: given }) =>
    `get(\`${baseUrl}${template.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${given[name] ?? ""})}`)}\`)`,
  data: (result) => result,
};

export const plumbline: Consumer = {
  name: "plumbline",
  key: "plumbline",
  setup: (operations, from) => `import { createClient, ${namesOf(operations)} } from "${ownPackage(from)}";
const client = createClient({ token: "t", baseUrl: "${baseUrl}" });
`,
  call: ({ name }, given) => `${name}(client, ${grouped(given)})`,
  data: (result) => result,
};

export const heyApiClient: Consumer = {
  name: "hey-api",
  key: "hey-api",
  setup: (operations, from) => `import { client } from "${from}/hey-api/client.gen.js";
import { ${namesOf(operations)} } from "${from}/hey-api/sdk.gen.js";
client.setConfig({ auth: "t", baseUrl: "${baseUrl}" });
`,
  call: ({ name }, given) => `${name}(${grouped(given)})`,
  data: (result) => `${result}.data`,
};

export const openapiFetch: Consumer = {
  name: "openapi-fetch",
  key: "openapi-fetch",
  setup: (_, from) => `import createClient from "openapi-fetch";
import type { paths } from "${from}/openapi-typescript/types.js";
const client = createClient<paths>({ baseUrl: "${baseUrl}", headers: { authorization: "Bearer t" } });
`,
  call: ({ template }, given) => `client.GET("${template}", { params: ${grouped(given)} })`,
  data: (result) => `${result}.data`,
};

export const orvalClient: Consumer = {
  name: "orval",
  key: "orval",
  setup: (operations, from) => `import { ${namesOf(operations)} } from "${from}/orval/api.js";
`,
  call({ name, parameters, takesQuery }, given) {
    const query = takesQuery ? [given.query === undefined ? "undefined" : objectOf(given.query)] : [];
    const positions = [...parameters.map((parameter) => given.path[parameter] ?? ""), ...query];
    return `${name}(${[...positions, '{ headers: { authorization: "Bearer t" } }'].join(", ")})`;
  },
  data: (result) => `${result}.data`,
};

/** Those whose generators run on this Node, ours first. */
export function consumersOn(node: Node): readonly Consumer[] {
  const peers = [
    { consumer: heyApiClient, peer: "@hey-api/openapi-ts" },
    { consumer: openapiFetch, peer: "openapi-typescript" },
    { consumer: orvalClient, peer: "orval" },
  ];
  const running = peers.filter(({ peer }) => refusal(peer, node) === undefined);
  return [plumbline, ...running.map(({ consumer }) => consumer)];
}

/** The names of the peers with the versions that are compared. */
export function versions(): string {
  return ["@hey-api/openapi-ts", "openapi-fetch", "orval", "typescript", "esbuild"]
    .map((name) => `${name} ${manifestOf(name).version}`)
    .join(", ");
}

/** Lets each peer generate its client, in a folder of its own; `forOrval` is the same description as orval can read it. */
export async function generateClients(
  folder: string,
  { node, description, forOrval }: { readonly node: Node; readonly description: string; readonly forOrval: string },
): Promise<void> {
  const made = { "openapi-typescript": openapiTypescript(description), plumbline: ours(description) };
  const peers = { "hey-api": heyApi(description), orval: orval(forOrval) };
  const able = new Set(consumersOn(node).map(({ key }) => key));
  for (const [key, { args }] of Object.entries({ ...made, ...peers })) {
    if (Object.hasOwn(peers, key) && !able.has(key)) continue;
    const out = path.join(folder, key);
    await mkdir(out, { recursive: true });
    await run(node.program, args(out), folder);
  }
}

/** Makes a folder in which clients find the packages that they import. */
export async function linkPackages(folder: string): Promise<void> {
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }\n');
  const packages = {
    "@cloud-compute/client": path.join(repository, "packages", "client"),
    "@plumbline/client-runtime": path.join(repository, "packages", "client-runtime"),
    "openapi-fetch": peerFile("openapi-fetch", ""),
  };
  for (const [name, target] of Object.entries(packages)) {
    const link = path.join(folder, "node_modules", name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(target, link, "dir");
  }
}

/** The published package for our description, and the generated files for others. */
function ownPackage(from: string): string {
  return from === "." ? "@cloud-compute/client" : `${from}/plumbline/client/src/index.js`;
}

function namesOf(operations: readonly Operation[]): string {
  return operations.map(({ name }) => name).join(", ");
}

function grouped({ path: inPath, query }: Given): string {
  const groups = { path: objectOf(inPath), ...(query === undefined ? {} : { query: objectOf(query) }) };
  return objectOf(Object.keys(inPath).length > 0 ? groups : {});
}

function objectOf(given: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(given)
    .map(([key, value]) => `${JSON.stringify(key)}: ${value}`)
    .join(", ")} }`;
}
