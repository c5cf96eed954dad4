import { cp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { filesOf, place } from "./support/pets.js";
import { repository, temporaryFolder, unremovedFolder } from "./support/places.js";
import { npm, runNode } from "./support/run.js";
import { startService } from "./support/service.js";
import { packed, type Tarball } from "./support/tarballs.js";

const names = [
  "client-runtime",
  "client",
  "validator-runtime",
  "validator",
  "server-runtime",
  "server",
  "controls-server",
  "controls-client",
  "service",
] as const;
/** What a program of somebody else's is made with. */
const libraries = names.slice(0, 6);
let folder: string;
let tarballs: Readonly<Record<(typeof names)[number], Tarball>>;

beforeAll(async () => {
  folder = await unremovedFolder();
  const all = await Promise.all(names.map(async (name) => [name, await packed(name, folder)] as const));
  tarballs = Object.fromEntries(all) as Record<(typeof names)[number], Tarball>;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(names)("%s, as npm packs it,", (name) => {
  it("satisfies publint", async () => {
    expect(await lint(tarballs[name].folder)).toEqual([]);
  });

  it("has types that fit, as attw sees it", async () => {
    expect(await attw(tarballs[name].file)).toMatchObject({ code: 0 });
  });

  it("names no place of this machine", async () => {
    const files = Object.entries(await filesOf(tarballs[name].folder));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter(([, text]) => namesMachine(text)).map(([file]) => file)).toEqual([]);
  });

  it("has a source for every map, and a map for every source", async () => {
    const files = await filesOf(tarballs[name].folder);
    const maps = Object.entries(files).filter(([file]) => file.endsWith(".map"));
    const sources = maps.map(([file, text]) => {
      const map = JSON.parse(text) as { readonly sources: readonly string[] };
      return map.sources.map((source) => path.posix.join(path.posix.dirname(file), source));
    });
    expect([...new Set(sources.flat())].sort()).toEqual(Object.keys(files).filter((file) => file.startsWith("src/")));
  });
});

describe("somebody who installs the service", () => {
  it("runs it", async () => {
    const project = await unremovedFolder();
    onTestFinished(() => rm(project, { recursive: true, force: true }));
    await place(project, { "package.json": JSON.stringify({ name: "new", private: true }) });
    await install(project, ["validator-runtime", "server-runtime", "server", "controls-server", "service"]);
    const program = path.join(project, "node_modules", ".bin", "cloud-compute");
    const { url, token } = await startService(["--data", ":memory:", "--port", "0", "--pace", "0"], program);
    const reply = await fetch(`${url}/profile`, { headers: { authorization: `Bearer ${token}` } });
    expect(await reply.json()).toMatchObject({ username: "admin" });
  });
});

describe("what is published", () => {
  it("is these files, and for each source a script, declarations and two maps", async () => {
    const found = await Promise.all(
      names.map(async (name) => {
        const files = Object.keys(await filesOf(tarballs[name].folder));
        const sources = files.filter((file) => file.startsWith("src/"));
        const made = sources.flatMap((file) =>
          [".d.ts", ".d.ts.map", ".js", ".js.map"].map((end) => file.replace("src/", "dist/").replace(/\.ts$/, end)),
        );
        expect(files.filter((file) => file.startsWith("dist/"))).toEqual(made.sort());
        return files.filter((file) => !file.startsWith("dist/"));
      }),
    );
    expect(found).toMatchInlineSnapshot(`
      [
        [
          "LICENSE",
          "README.md",
          "package.json",
          "src/auth.ts",
          "src/bodies.ts",
          "src/bounded.ts",
          "src/call.ts",
          "src/client.ts",
          "src/errors.ts",
          "src/filters.ts",
          "src/headers.ts",
          "src/index.ts",
          "src/operation.ts",
          "src/pacing.ts",
          "src/paginate.ts",
          "src/parameters.ts",
          "src/path.ts",
          "src/refuse.ts",
          "src/replies.ts",
          "src/retry-after.ts",
          "src/retrying.ts",
          "src/safe.ts",
          "src/signals.ts",
          "src/sleep.ts",
          "src/styles.ts",
          "src/upload.ts",
          "src/url.ts",
          "src/wait-error.ts",
          "src/wait.ts",
          "src/writers.ts",
        ],
        [
          "LICENSE",
          "README.md",
          "package.json",
          "src/gen/client.ts",
          "src/gen/errors.ts",
          "src/gen/filters.ts",
          "src/gen/index.ts",
          "src/gen/limits.ts",
          "src/gen/operations/backups.ts",
          "src/gen/operations/configs.ts",
          "src/gen/operations/domains.ts",
          "src/gen/operations/events.ts",
          "src/gen/operations/images.ts",
          "src/gen/operations/instances.ts",
          "src/gen/operations/kube.ts",
          "src/gen/operations/profile.ts",
          "src/gen/operations/regions.ts",
          "src/gen/operations/tags.ts",
          "src/gen/pagination.ts",
          "src/gen/scopes.ts",
          "src/gen/states.ts",
          "src/gen/types.ts",
          "src/gen/uploads.ts",
          "src/index.ts",
        ],
        [
          "LICENSE",
          "README.md",
          "package.json",
          "src/accept.ts",
          "src/bodies.ts",
          "src/express.ts",
          "src/fastify.ts",
          "src/faults.ts",
          "src/fetch.ts",
          "src/formats.ts",
          "src/guard.ts",
          "src/hono.ts",
          "src/index.ts",
          "src/inputs.ts",
          "src/json-text.ts",
          "src/judge.ts",
          "src/lengths.ts",
          "src/lenient-path.ts",
          "src/media-type.ts",
          "src/node-bytes.ts",
          "src/node-exchange.ts",
          "src/node-reply.ts",
          "src/node.ts",
          "src/operation.ts",
          "src/path-segment.ts",
          "src/public-fault.ts",
          "src/put.ts",
          "src/query.ts",
          "src/readable-request.ts",
          "src/readers.ts",
          "src/reasons.ts",
          "src/refusal.ts",
          "src/replies.ts",
          "src/route-tree.ts",
          "src/routes.ts",
          "src/scopes.ts",
          "src/sent.ts",
          "src/serving.ts",
          "src/takes.ts",
          "src/unions.ts",
          "src/values.ts",
          "src/web-bytes.ts",
          "src/web-exchange.ts",
          "src/web-reply.ts",
        ],
        [
          "LICENSE",
          "README.md",
          "package.json",
          "src/gen/checks.ts",
          "src/gen/express.ts",
          "src/gen/fastify.ts",
          "src/gen/fetch.ts",
          "src/gen/hono.ts",
          "src/gen/names.ts",
          "src/gen/node.ts",
          "src/gen/operations.ts",
          "src/gen/operations/backups.ts",
          "src/gen/operations/configs.ts",
          "src/gen/operations/domains.ts",
          "src/gen/operations/events.ts",
          "src/gen/operations/images.ts",
          "src/gen/operations/instances.ts",
          "src/gen/operations/kube.ts",
          "src/gen/operations/profile.ts",
          "src/gen/operations/regions.ts",
          "src/gen/operations/tags.ts",
          "src/gen/replies.ts",
          "src/gen/table.ts",
          "src/gen/types.ts",
          "src/index.ts",
        ],
        [
          "LICENSE",
          "README.md",
          "package.json",
          "src/answer.ts",
          "src/api.ts",
          "src/bindings.ts",
          "src/broken-reply.ts",
          "src/call.ts",
          "src/case.ts",
          "src/changes.ts",
          "src/conditions.ts",
          "src/counts.ts",
          "src/credentials.ts",
          "src/date-times.ts",
          "src/decoding.ts",
          "src/errors.ts",
          "src/express.ts",
          "src/expressions.ts",
          "src/facts.ts",
          "src/failure.ts",
          "src/fastify.ts",
          "src/fetch.ts",
          "src/framed.ts",
          "src/grants.ts",
          "src/handlers.ts",
          "src/headers.ts",
          "src/held-scopes.ts",
          "src/hit-times.ts",
          "src/hono.ts",
          "src/index.ts",
          "src/limits.ts",
          "src/lists.ts",
          "src/machine.ts",
          "src/media-types.ts",
          "src/memory-store.ts",
          "src/moves.ts",
          "src/named-in.ts",
          "src/named.ts",
          "src/node-answer.ts",
          "src/node-pair.ts",
          "src/node-pump.ts",
          "src/node-received.ts",
          "src/node-stream.ts",
          "src/node.ts",
          "src/options.ts",
          "src/order.ts",
          "src/owners.ts",
          "src/plan.ts",
          "src/rates.ts",
          "src/received.ts",
          "src/refusals.ts",
          "src/replies.ts",
          "src/request-ids.ts",
          "src/resources.ts",
          "src/rows.ts",
          "src/scopes.ts",
          "src/serve.ts",
          "src/server.ts",
          "src/shown.ts",
          "src/source.ts",
          "src/states.ts",
          "src/statuses.ts",
          "src/stored.ts",
          "src/telling.ts",
          "src/turn.ts",
          "src/values.ts",
          "src/web-answer.ts",
          "src/web-received.ts",
          "src/write-json.ts",
        ],
        [
          "README.md",
          "package.json",
          "src/gen/changes.ts",
          "src/gen/checks.ts",
          "src/gen/errors.ts",
          "src/gen/express.ts",
          "src/gen/fastify.ts",
          "src/gen/fetch.ts",
          "src/gen/grants.ts",
          "src/gen/handlers.ts",
          "src/gen/hono.ts",
          "src/gen/limits.ts",
          "src/gen/lists.ts",
          "src/gen/node.ts",
          "src/gen/operations.ts",
          "src/gen/operations/backups.ts",
          "src/gen/operations/configs.ts",
          "src/gen/operations/domains.ts",
          "src/gen/operations/events.ts",
          "src/gen/operations/images.ts",
          "src/gen/operations/instances.ts",
          "src/gen/operations/kube.ts",
          "src/gen/operations/profile.ts",
          "src/gen/operations/regions.ts",
          "src/gen/operations/tags.ts",
          "src/gen/replies.ts",
          "src/gen/resources.ts",
          "src/gen/scopes.ts",
          "src/gen/server.ts",
          "src/gen/shown.ts",
          "src/gen/states.ts",
          "src/gen/table.ts",
          "src/gen/types.ts",
          "src/gen/values.ts",
          "src/index.ts",
        ],
        [
          "README.md",
          "package.json",
          "src/gen/changes.ts",
          "src/gen/checks.ts",
          "src/gen/errors.ts",
          "src/gen/express.ts",
          "src/gen/fastify.ts",
          "src/gen/fetch.ts",
          "src/gen/grants.ts",
          "src/gen/handlers.ts",
          "src/gen/hono.ts",
          "src/gen/limits.ts",
          "src/gen/lists.ts",
          "src/gen/node.ts",
          "src/gen/operations.ts",
          "src/gen/operations/objects.ts",
          "src/gen/operations/service.ts",
          "src/gen/operations/users.ts",
          "src/gen/replies.ts",
          "src/gen/resources.ts",
          "src/gen/scopes.ts",
          "src/gen/server.ts",
          "src/gen/shown.ts",
          "src/gen/states.ts",
          "src/gen/table.ts",
          "src/gen/types.ts",
          "src/gen/values.ts",
          "src/index.ts",
        ],
        [
          "LICENSE",
          "README.md",
          "package.json",
          "src/gen/client.ts",
          "src/gen/errors.ts",
          "src/gen/index.ts",
          "src/gen/operations/objects.ts",
          "src/gen/operations/service.ts",
          "src/gen/operations/users.ts",
          "src/gen/types.ts",
          "src/index.ts",
        ],
        [
          "README.md",
          "bin/cloud-compute.js",
          "package.json",
          "src/api.ts",
          "src/areas/addresses.ts",
          "src/areas/apps.ts",
          "src/areas/backup-service.ts",
          "src/areas/backups.ts",
          "src/areas/clones.ts",
          "src/areas/cluster-access.ts",
          "src/areas/clusters.ts",
          "src/areas/configs.ts",
          "src/areas/deployment.ts",
          "src/areas/devices.ts",
          "src/areas/disks.ts",
          "src/areas/domain-copies.ts",
          "src/areas/domains.ts",
          "src/areas/events.ts",
          "src/areas/forgetting.ts",
          "src/areas/grants-shown.ts",
          "src/areas/image-uploads.ts",
          "src/areas/images.ts",
          "src/areas/index.ts",
          "src/areas/instances.ts",
          "src/areas/kube-versions.ts",
          "src/areas/logins.ts",
          "src/areas/node-instances.ts",
          "src/areas/nodebalancers.ts",
          "src/areas/nodes.ts",
          "src/areas/phone.ts",
          "src/areas/pools.ts",
          "src/areas/power.ts",
          "src/areas/preferences.ts",
          "src/areas/profile.ts",
          "src/areas/record-fields.ts",
          "src/areas/records.ts",
          "src/areas/recycling.ts",
          "src/areas/regions.ts",
          "src/areas/restore.ts",
          "src/areas/security-questions.ts",
          "src/areas/ssh-public-key.ts",
          "src/areas/sshkeys.ts",
          "src/areas/states.ts",
          "src/areas/tagging.ts",
          "src/areas/tags.ts",
          "src/areas/tokens.ts",
          "src/areas/two-factor.ts",
          "src/areas/users.ts",
          "src/areas/zones.ts",
          "src/authenticate.ts",
          "src/bootstrap.ts",
          "src/context.ts",
          "src/controls/index.ts",
          "src/controls/instances.ts",
          "src/controls/objects.ts",
          "src/controls/service.ts",
          "src/controls/users.ts",
          "src/credentials.ts",
          "src/dns/axfr.ts",
          "src/dns/caa.ts",
          "src/dns/imported-record.ts",
          "src/dns/imported.ts",
          "src/dns/names.ts",
          "src/dns/nameserver.ts",
          "src/dns/record-data.ts",
          "src/dns/zone.ts",
          "src/grants.ts",
          "src/headers.ts",
          "src/index.ts",
          "src/limits.ts",
          "src/listening.ts",
          "src/main.ts",
          "src/options.ts",
          "src/platform/catalogue.ts",
          "src/platform/certificate.ts",
          "src/platform/clock.ts",
          "src/platform/durations.ts",
          "src/platform/image-data.ts",
          "src/platform/jobs.ts",
          "src/platform/periods.ts",
          "src/resources.ts",
          "src/service.ts",
          "src/store/collection.ts",
          "src/store/database.ts",
          "src/store/filter.ts",
          "src/store/migrations.ts",
          "src/store/postgres.ts",
          "src/store/remembered.ts",
          "src/store/rows.ts",
          "src/store/sqlite.ts",
          "src/store/store.ts",
          "src/store/tables.ts",
          "src/store/tx.ts",
          "src/store/writes.ts",
          "src/unread.ts",
          "src/uploads.ts",
          "src/work.ts",
        ],
      ]
    `);
  });

  it("would be told when it is not fit", async () => {
    const broken = await temporaryFolder();
    await cp(tarballs["client-runtime"].folder, broken, { recursive: true });
    const manifest = JSON.parse(await readFile(path.join(broken, "package.json"), "utf8")) as object;
    const wrong = { ...manifest, exports: { ".": { types: "./dist/absent.d.ts", default: "./dist/index.js" } } };
    await place(broken, { "package.json": JSON.stringify(wrong), "dist/index.js": `throw "${repository}/packages";` });
    expect((await lint(broken)).length).toBeGreaterThan(0);
    const { out } = await npm(["pack", "--json"], { in: broken });
    expect(out).toContain("plumbline-client-runtime-");
    const file = Object.keys(await filesOf(broken)).find((each) => each.endsWith(".tgz"));
    expect((await attw(path.join(broken, file ?? ""))).code).toBe(1);
    expect(namesMachine(await readFile(path.join(broken, "dist/index.js"), "utf8"))).toBe(true);
  });
});

describe("a new project that installs them", () => {
  const program = `import { createClient, getInstance, isApiError, safe, type Instance } from "@cloud-compute/client";

const client = createClient({ token: "secret", baseUrl: "http://127.0.0.1:9/v4" });
const result = await safe(getInstance(client, { path: { computeId: 5 } }));
const instance: Instance | undefined = result.ok ? result.data : undefined;
export const label: string | undefined = instance?.label;
if (!result.ok && !isApiError(result.error)) throw result.error;
`;
  const validating = `import { createInstance, inputOf, type CreateInstanceInput } from "@cloud-compute/validator";
import { validator as forExpress } from "@cloud-compute/validator/express";
import { validator as forFastify } from "@cloud-compute/validator/fastify";
import { validator as forFetch } from "@cloud-compute/validator/fetch";
import { validator as forHono } from "@cloud-compute/validator/hono";
import { validator as forNode } from "@cloud-compute/validator/node";

export const all = [forExpress, forFastify, forFetch, forHono, forNode].map((validator) => validator({ basePath: "/v4" }));
const judged = createInstance({ body: { region: "us-east" } });
export const faults: readonly string[] = judged.ok ? [] : judged.faults.map((fault) => fault.reason);
const input: CreateInstanceInput = inputOf(createInstance, {});
export const booted: boolean = input.body.booted;
`;
  const serving = `import { createServer, errors, type Handlers, type Instance } from "@cloud-compute/server";
import { expressMiddleware } from "@cloud-compute/server/express";
import { fastifyPlugin } from "@cloud-compute/server/fastify";
import { fetchHandler } from "@cloud-compute/server/fetch";
import { honoMiddleware } from "@cloud-compute/server/hono";
import { nodeListener } from "@cloud-compute/server/node";
import type { Region } from "@cloud-compute/server/types";

const getInstance: Handlers["getInstance"] = async ({ target }) => ({ status: 200, body: target satisfies Instance });
const listRegions: Handlers["listRegions"] = () => {
  throw errors.unavailable();
};
const server = createServer({ getInstance, listRegions }, { missing: "not-implemented" });
export const all = [nodeListener, expressMiddleware, fastifyPlugin, honoMiddleware, fetchHandler].map((host) => host(server));
export const region: Region | undefined = undefined;
`;
  const script = `import { createClient, getInstance, safe } from "@cloud-compute/client";
import { createServer, errors } from "@cloud-compute/server";
import { fetchHandler } from "@cloud-compute/server/fetch";
import { createInstance } from "@cloud-compute/validator";

const client = createClient({ token: "secret", baseUrl: "http://127.0.0.1:9/v4" });
const { ok, error } = await safe(getInstance(client, { path: { computeId: 5 } }));
console.log(ok, error.code);
for (const { field, reason } of createInstance({ body: { region: "us-east", label: "a" } }).faults) console.log(field, reason);
const listRegions = () => {
  throw errors.unavailable();
};
const handle = fetchHandler(createServer({ listRegions }, { missing: "not-implemented" }));
console.log((await handle(new Request("http://127.0.0.1/v4/regions"))).status);
`;
  let project: string;
  beforeAll(async () => {
    project = await unremovedFolder();
    await place(project, {
      "package.json": JSON.stringify({ name: "new", private: true, type: "module" }),
      "script.js": script,
      "program.ts": program,
      "validating.ts": validating,
      "serving.ts": serving,
      "wrong.ts": program.replace("computeId: 5", 'computeId: "5"'),
    });
    await install(project, libraries);
  });
  afterAll(() => rm(project, { recursive: true, force: true }));

  it("gets these packages and no other", async () => {
    const lock = JSON.parse(await readFile(path.join(project, "package-lock.json"), "utf8")) as {
      readonly packages: object;
    };
    expect(Object.keys(lock.packages)).toEqual([
      "",
      "node_modules/@cloud-compute/client",
      "node_modules/@cloud-compute/server",
      "node_modules/@cloud-compute/validator",
      "node_modules/@plumbline/client-runtime",
      "node_modules/@plumbline/server-runtime",
      "node_modules/@plumbline/validator-runtime",
    ]);
  });

  it("runs plain JavaScript", async () => {
    expect(await runNode(["script.js"], { in: project })).toEqual({
      code: 0,
      out: "false network\ntype is required\nlabel must be 3 to 64 characters\n503\n",
      error: "",
    });
  });

  const compilers = [
    { version: "7.0.2", home: repository },
    { version: "5.9.3", home: path.join(repository, "generators") },
  ];
  const resolutions = [
    { moduleResolution: "nodenext", module: "nodenext" },
    { moduleResolution: "bundler", module: "esnext" },
  ];
  it.each(compilers.flatMap((compiler) => resolutions.map((resolution) => ({ ...compiler, ...resolution }))))(
    "checks types with TypeScript $version and $moduleResolution",
    async ({ version, home, moduleResolution, module }) => {
      const manifest = createRequire(path.join(home, "package.json")).resolve("typescript/package.json");
      const tsc = (...args: readonly string[]) =>
        runNode([path.join(path.dirname(manifest), "bin", "tsc"), ...args], { in: project });
      expect((await tsc("--version")).out).toBe(`Version ${version}\n`);
      const options = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "es2022"];
      const given = [...options, "--module", module, "--moduleResolution", moduleResolution];
      expect(await tsc(...given, "program.ts", "validating.ts", "serving.ts")).toEqual({ code: 0, out: "", error: "" });
      const wrong = await tsc(...given, "wrong.ts");
      expect(wrong.code).not.toBe(0);
      expect(wrong.out).toMatch(/^wrong\.ts[(:]4.*Type 'string' is not assignable to type 'number'/);
    },
  );
});

/** What publint finds, as a program reads it. */
async function lint(pkgDir: string): Promise<readonly string[]> {
  const { messages } = await publint({ pkgDir, strict: true, pack: false });
  return messages.map(({ type, code, path: at }) => `${type} ${code} ${at.join(".")}`);
}

async function attw(tarball: string): ReturnType<typeof runNode> {
  const manifest = createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json");
  const { bin } = JSON.parse(await readFile(manifest, "utf8")) as { readonly bin: { readonly attw: string } };
  return runNode([path.join(path.dirname(manifest), bin.attw), tarball, "--profile", "esm-only"], { in: folder });
}

/** The folder of the repository, or somebody's home. */
async function install(project: string, what: readonly (typeof names)[number][]): Promise<void> {
  const files = what.map((name) => tarballs[name].file);
  const { code, error } = await npm(["install", "--prefer-offline", ...files], { in: project });
  expect(code, error).toBe(0);
}

function namesMachine(text: string): boolean {
  return [repository, homedir()].some((each) => each !== "/" && text.includes(`${each}${path.sep}`));
}
