import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startProxy, withBody } from "../faults/proxy.js";
import { checkTypes, examplesOf, projectOf } from "../support/examples.js";
import { place } from "../support/pets.js";
import { repository } from "../support/places.js";
import { runNode } from "../support/run.js";
import { startServiceInProcess } from "../support/service-in-process.js";
import type { Ready } from "../support/service.js";
import { readTracked } from "../support/tracked.js";

const program = path.join(repository, "node_modules", "vitest", "vitest.mjs");

const testOf = (options: string): string => `import { defineConformanceTests } from "@cloud-compute/conformance/vitest";
defineConformanceTests({ controls: process.env["CONTROLS"], ${options} });
`;

describe("defineConformanceTests", () => {
  test("passes for a correct server, in shards, and creates nothing that stays", async () => {
    const service = await startServiceInProcess([]);
    const project = await projectWith({
      "regions.test.ts": testOf(`only: ["regions"]`),
      "tags.test.ts": testOf(`only: ["tags/createTag"], skip: ["workflows"]`),
    });
    const all = await runTests(project, service, []);
    expect(all.code).toBe(0);
    expect(all.failed).toEqual([]);
    expect(all.passed.length).toBeGreaterThan(60);
    expect(all.passed).toContain(
      "Cloud Compute API 4.142.1 regions getRegion Show a region: a valid request gets the documented response",
    );
    const shards = [
      await runTests(project, service, ["--shard=1/2"]),
      await runTests(project, service, ["--shard=2/2"]),
    ];
    expect(shards.map(({ code, passed }) => [code, passed.length > 0])).toEqual([
      [0, true],
      [0, true],
    ]);
    expect(shards.flatMap(({ passed }) => passed).toSorted()).toEqual(all.passed.toSorted());
  });

  test("runs the cases that -t selects, and no others", async () => {
    const service = await startServiceInProcess([]);
    const project = await projectWith({ "tags.test.ts": testOf(`only: ["tags"]`) });
    const bodies: string[] = [];
    const proxy = await startProxy(service.url, {
      route: { method: "POST", path: "/tags", segments: {} },
      wire: {
        onRequest: (request) => {
          bodies.push(request.body);
          return request;
        },
      },
    });
    onTestFinished(() => proxy.close());
    const { passed } = await runTests(project, { ...service, url: proxy.url }, ["-t", "createTag label: an object"]);
    expect(passed).toEqual(["Cloud Compute API 4.142.1 tags createTag label: an object is rejected"]);
    expect(bodies).toHaveLength(1);
  });

  test("fails with the text of the report: both values, requirements, and curl", async () => {
    const service = await startServiceInProcess([]);
    const { proxyUrl } = await startFaultyService(service);
    const project = await projectWith({
      "regions.test.ts": testOf(`only: ["regions/getRegion/accepts", "regions/getRegion/security/anonymous"]`),
    });
    const { code, failed } = await runTests(project, { ...service, url: proxyUrl }, []);
    expect(code).toBe(1);
    const [text = ""] = failed;
    expect(text).toContain("FAIL regions/getRegion/accepts");
    expect(text).toContain("country is missing");
    expect(text).toMatch(/expected {2}.*\n +received {2}/);
    expect(text).toMatch(/region\.\S+: .+\n.+, line \d+; spec\/regions\//);
    expect(text).toMatch(/curl -sS -i \\?"http:.*\/regions\/\$ID1\\?"/);
    expect(text).toContain("cloud-compute-conformance run --only regions/getRegion/accepts --seed 1 --url");
    expect(text).toMatch(/regions\.test\.ts:2:1\)?$/m);
  });

  test("accepts known failures, until they pass", async () => {
    const service = await startServiceInProcess([]);
    const { proxyUrl } = await startFaultyService(service);
    const known = `knownFailures: [{ id: "regions/getRegion/accepts", message: "country is missing" }]`;
    const project = await projectWith({ "regions.test.ts": testOf(`only: ["regions/getRegion/accepts"], ${known}`) });
    expect(await runTests(project, { ...service, url: proxyUrl }, [])).toMatchObject({ code: 0, failed: [] });
    const { code, failed } = await runTests(project, service, []);
    expect(code).toBe(1);
    expect(failed).toEqual([expect.stringContaining("passes, but is on the list of known failures. Remove it")]);
  });

  test("skips cases with the reason, reads its target when it starts, and reports an unknown word", async () => {
    const service = await startServiceInProcess([]);
    const project = await projectWith({
      "regions.test.ts": `import { defineConformanceTests } from "@cloud-compute/conformance/vitest";
defineConformanceTests({
  url: async () => process.env["CONFORMANCE_URL"] ?? "",
  token: () => process.env["TOKEN"] ?? "",
  only: ["regions/getRegion/accepts", "regions/getRegion/everybody"],
});
`,
      "typo.test.ts": testOf(`only: ["region"]`),
    });
    const { passed, skipped, out } = await runTests(project, service, [], { TOKEN: service.token });
    expect(passed).toHaveLength(1);
    expect(skipped).toHaveLength(1);
    expect(out).toContain(
      '[missing other-account: `credentials` with "otherAccount", the token of another account; or the option `controls`',
    );
    expect(out).toContain('"region" matches no id, requirement, area, operation or kind. Did you mean "regions"?');
  });

  test("runs concurrent tests in workers", async () => {
    const service = await startServiceInProcess([]);
    const project = await projectWith({
      "tags.test.ts": `import { describe } from "vitest";
import { defineConformanceTests } from "@cloud-compute/conformance/vitest";
describe.concurrent("tags", () => defineConformanceTests({ controls: process.env["CONTROLS"], only: ["tags/createTag"], workers: 3 }));
`,
    });
    const { code, failed, passed } = await runTests(project, service, []);
    expect(failed).toEqual([]);
    expect(code).toBe(0);
    expect(passed.length).toBeGreaterThan(20);
  });
});

describe("the matchers", () => {
  test("match responses of fetch, axios, supertest, node:http and the client, with typed names", async () => {
    const service = await startServiceInProcess([]);
    const { proxyUrl } = await startFaultyService(service);
    const project = await projectWith({ "clients.test.ts": clientsTest });
    const env = { FAULTY: proxyUrl };
    const { code, failed, passed } = await runTests(project, service, [], env);
    expect(failed).toEqual([]);
    expect(code).toBe(0);
    expect(passed).toHaveLength(7);

    const types = await checkTypes(project);
    expect(types.out).toBe("");
    await place(project, { "clients.test.ts": clientsTest.replace('"getRegion"', '"getRegions"') });
    expect((await checkTypes(project)).out).toContain(
      `'"getRegions"' is not assignable to parameter of type 'OperationName'`,
    );
  });

  test("work with the expect of Jest, without Vitest", async () => {
    const project = await projectWith({
      "jest.mjs": `import { expect } from "expect";
import { operationMatchers } from "@cloud-compute/conformance/matchers";
expect.extend(operationMatchers);
const headers = { "content-type": "application/json" };
await expect(Response.json({ errors: [{ reason: "Not found" }] }, { status: 404 })).toMatchOperation("getRegion");
try {
  expect({ status: 404, headers, body: { errors: [{}] } }).toMatchOperation("getRegion");
} catch (error) {
  console.log(error.message);
}
`,
    });
    const { code, out } = await runNode(["jest.mjs"], { in: project });
    expect(code).toBe(0);
    expect(out).toContain("errors.0.reason is missing");
  });

  test("do not load Vitest", async () => {
    const files = ["matchers.js", "suite.js"].map((file) =>
      readFile(path.join(repository, "packages", "conformance", "dist", "gen", file), "utf8"),
    );
    expect((await Promise.all(files)).join("\n")).not.toMatch(/from "vitest"/);
  });
});

test("the examples of the README work, and compile", async () => {
  const [, cases = "", matchers = ""] = examplesOf(readTracked("packages/conformance/README.md"));
  const service = await startServiceInProcess([]);
  const here = (text: string): string => text.replaceAll("https://api.cloud-compute.example/v4", service.url);
  const project = await projectWith({
    "api.conformance.test.ts": here(cases).replace('only: ["instances"]', 'only: ["instances/listInstances/accepts"]'),
    "matchers.test.ts": here(matchers),
  });
  const env = { CONFORMANCE_TOKEN: service.token };
  expect(await runTests(project, service, [], env)).toMatchObject({ code: 0, failed: [], passed: { length: 2 } });
  expect((await checkTypes(project)).out).toBe("");
});

const clientsTest = `import { get, type IncomingMessage } from "node:http";
import { createClient, getRegion, withResponse } from "@cloud-compute/client";
import { operationMatchers } from "@cloud-compute/conformance/vitest";
import axios from "axios";
import supertest from "supertest";
import { expect, test } from "vitest";

expect.extend(operationMatchers);
const url = process.env["CONFORMANCE_URL"] ?? "";
const address = url + "/regions/us-east";

test("fetch", async () => {
  const response = await fetch(address);
  await expect(response).toMatchOperation("getRegion", { status: 200 });
  const region = await response.json();
  expect(region).toMatchSchema("Region");
  expect({ region }).toEqual({ region: expect.toMatchSchema("Region") });
});

test("axios", async () => {
  expect(await axios.get(address)).toMatchOperation("getRegion");
});

test("supertest", async () => {
  expect(await supertest(url).get("/regions/us-east")).toMatchOperation("getRegion");
  expect(await supertest(url).get("/regions/none")).toMatchOperation("getRegion", { status: 404 });
});

test("node:http", async () => {
  const message = await new Promise<IncomingMessage>((resolve) => get(address, resolve));
  await expect(message).toMatchOperation("getRegion");
});

test("the client", async () => {
  const client = createClient({ baseUrl: url });
  expect(await withResponse(getRegion(client, { path: { regionId: "us-east" } }))).toMatchOperation("getRegion");
});

test("a wrong response", async () => {
  const response = await axios.get(process.env["FAULTY"] + "/regions/us-east");
  expect(() => expect(response).toMatchOperation("getRegion")).toThrow("country is missing");
  expect(response).not.toMatchOperation("getRegion");
});

test("a response of another operation", async () => {
  expect(await supertest(url).get("/regions")).not.toMatchOperation("getRegion");
});
`;

/** A project with these files, in which Vitest is installed. */
async function projectWith(files: Readonly<Record<string, string>>): Promise<string> {
  const project = await projectOf([]);
  const tools = path.join(repository, "test", "tools");
  for (const [owner, names] of [
    [tools, ["axios", "expect", "supertest"]],
    [repository, ["vitest"]],
  ] as const)
    for (const name of names)
      await symlink(path.join(owner, "node_modules", name), path.join(project, "node_modules", name), "dir");
  await place(project, files);
  return project;
}

interface TestRun {
  readonly code: number | null;
  readonly out: string;
  readonly passed: readonly string[];
  readonly skipped: readonly string[];
  /** The messages of tests that failed. */
  readonly failed: readonly string[];
}

interface VitestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

/** Runs Vitest in a project against a server. */
async function runTests(
  project: string,
  { url, controls }: Pick<Ready, "url" | "controls">,
  options: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<TestRun> {
  const reporters = ["--reporter=verbose", "--reporter=json", "--outputFile.json=report.json", "--no-file-parallelism"];
  const { code, out, error } = await runNode([program, "run", "--root", project, ...reporters, ...options], {
    in: project,
    env: { CONFORMANCE_URL: url, CONTROLS: controls ?? "", NO_COLOR: "1", ...env },
  });
  const report = JSON.parse(await readFile(path.join(project, "report.json"), "utf8")) as VitestReport;
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const namesWith = (status: string): readonly string[] =>
    results.filter((each) => each.status === status).map(({ fullName }) => fullName);
  return {
    code,
    out: out + error,
    passed: namesWith("passed"),
    skipped: namesWith("skipped"),
    failed: results.flatMap(({ failureMessages }) => failureMessages ?? []),
  };
}

/** The service behind a proxy that removes the country of a region. */
async function startFaultyService({ url }: Ready): Promise<{ readonly proxyUrl: string }> {
  const proxy = await startProxy(url, {
    route: { method: "GET", path: "/regions/{regionId}", segments: {} },
    wire: {
      onResponse: (response) => {
        if (response.status !== 200) return response;
        const { country: _, ...rest } = JSON.parse(response.body) as Readonly<Record<string, unknown>>;
        return withBody(response, rest);
      },
    },
  });
  onTestFinished(() => proxy.close());
  return { proxyUrl: proxy.url };
}
