import { generateKeyPairSync, randomInt, randomUUID } from "node:crypto";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as controls from "@cloud-compute/controls-client";
import { createConfig, parseYaml } from "@redocly/openapi-core";
import { run, type RespectOptions } from "@redocly/respect-core";
import { expect, onTestFinished, test } from "vitest";
import { repository } from "./support/places.js";
import { startService, type Ready } from "./support/service.js";

// An independent runner of Arazzo, against the service: what the files say is understood by others as it is by our suite.

const folder = path.join(repository, "spec", "workflows");
const files = (await readdir(folder)).filter((name) => name.endsWith(".arazzo.yaml"));

/** The runner reads the whole description again for each workflow; `npm run test:long` runs all of them, and otherwise one of each file. */
const most = process.env["WORKFLOWS"] === "all" ? Infinity : 1;

test.each(files)("%s: workflows run", { timeout: 300_000 }, async (file) => {
  const copy = await withoutRecursion();
  const service = await startService(["--port", "0", "--controls-port", "0", "--data", ":memory:", "--pace", "0"]);
  const workflows = await workflowsOf(path.join(folder, file));
  expect(workflows.length).toBeGreaterThan(0);
  for (const { id, inputs, given } of workflows.slice(0, most)) {
    const values = await Promise.all(
      inputs.map(async (name) => [name, await valueOf(given[name] ?? {}, { name, service })] as const),
    );
    expect([
      id,
      await failuresOf(path.join(copy, "workflows", file), { id, inputs: Object.fromEntries(values), service }),
    ]).toEqual([id, []]);
  }
});

test("a workflow that does not hold is told to be", { timeout: 60_000 }, async () => {
  const copy = await withoutRecursion();
  const service = await startService(["--port", "0", "--controls-port", "0", "--data", ":memory:", "--pace", "0"]);
  const file = path.join(copy, "workflows", "instances.arazzo.yaml");
  await writeFile(
    file,
    (await readFile(file, "utf8")).replace(
      "$response.body#/status == 'offline'",
      "$response.body#/status == 'running'",
    ),
  );
  const inputs = { token: await valueOf({ caller: "user" }, { name: "token", service }) };
  const failures = await failuresOf(file, { id: "create-from-nothing", inputs, service });
  expect(failures).toEqual(["create: $response.body#/status == 'running'"]);
});

/**
 * A copy of the description in which the schema of X-Filter does not hold itself: the runner follows references without end. It also judges
 * replies against each branch of a condition as if the others were not there, so that its judgment of schemas is left aside; ours is the
 * suite's.
 */
async function withoutRecursion(): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), "workflows-"));
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  await cp(path.join(repository, "spec"), copy, { recursive: true });
  const parameters = path.join(copy, "conventions", "parameters.yaml");
  const text = await readFile(parameters, "utf8");
  const flat = text.replace("{$ref: 'schemas.yaml#/Filter'}", "{type: object}");
  expect(flat).not.toBe(text);
  await writeFile(parameters, flat);
  return copy;
}

interface Listed {
  readonly id: string;
  readonly inputs: readonly string[];
  readonly given: Readonly<Record<string, Given>>;
}

interface Given {
  readonly caller?: string;
  readonly unique?: string;
  readonly time?: string;
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

interface ArazzoFile {
  readonly workflows: readonly {
    readonly workflowId: string;
    readonly inputs: Schema;
    readonly "x-inputs"?: Listed["given"];
  }[];
  readonly components?: { readonly inputs?: Readonly<Record<string, Schema>> };
}

async function workflowsOf(file: string): Promise<readonly Listed[]> {
  const { workflows, components } = parseYaml(await readFile(file, "utf8")) as ArazzoFile;
  return workflows.map(({ workflowId: id, inputs, "x-inputs": given = {} }) => {
    const schema = inputs.$ref === undefined ? inputs : components?.inputs?.[path.posix.basename(inputs.$ref)];
    return { id, inputs: Object.keys(schema?.properties ?? {}), given };
  });
}

/** What the suite's runtime would give: a caller, something new, or a time. */
async function valueOf(
  given: Given,
  { name, service }: { readonly name: string; readonly service: Ready },
): Promise<string> {
  const client = controls.createClient({ baseUrl: service.controls ?? "" });
  if (given.time !== undefined) return inAnHour(Date.parse((await controls.getClock(client)).now));
  if (given.unique !== undefined) return unique[given.unique]?.() ?? "";
  expect(name === "token" || given.caller === "user").toBe(true);
  const username = `user-${randomUUID().slice(0, 8)}`;
  await controls.createUser(client, { body: { username, account: `account-${username}` } });
  return (await controls.createUserToken(client, { path: { username }, body: {} })).token;
}

function inAnHour(moment: number): string {
  return new Date(moment + 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
}

const unique: Readonly<Record<string, () => string>> = {
  label: () => `label-${randomUUID().slice(0, 8)}`,
  username: () => `name-${randomUUID().slice(0, 8)}`,
  domain: () => `d${randomUUID().slice(0, 8)}.example.com`,
  phone: () => `+1201555${randomInt(1000, 10_000)}`,
  "ssh-key": () => {
    const raw = generateKeyPairSync("ed25519").publicKey.export({ format: "der", type: "spki" }).subarray(-32);
    const parts = [Buffer.from("ssh-ed25519"), raw].flatMap((part) => [Buffer.from([0, 0, 0, part.length]), part]);
    return `ssh-ed25519 ${Buffer.concat(parts).toString("base64")}`;
  },
};

interface Asked {
  readonly id: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly service: Ready;
}

/** The steps of a run that did not come to what they should, with the condition or the reason. */
async function failuresOf(file: string, { id, inputs, service }: Asked): Promise<readonly string[]> {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const [result] = await run({
    files: [file],
    workflow: [id],
    input: JSON.stringify(inputs),
    server: [`api=${service.url}`, `controls=${service.controls}`],
    severity: "SCHEMA_CHECK=off",
    config: await runnersConfig(),
    maxSteps: 2000,
    maxFetchTimeout: 20_000,
    requestFileLoader: { getFileBody: () => Promise.resolve(new Blob([])) },
    logger: {
      output: say,
      error: say,
      warn: say,
      info: say,
      printNewLine: () => {},
      printSeparator: () => {},
      indent: (text: string) => text,
    },
    fetch,
  });
  const steps = result?.executedWorkflows.flatMap(({ executedSteps }) => executedSteps) ?? [];
  if (steps.length === 0) return [`nothing was run: ${said.join(" ")}`];
  // A step that waits is told each time that it was asked; the last one counts.
  const last = new Map(steps.flatMap((step) => ("checks" in step ? [[step.stepId, step] as const] : [])));
  return [...last.values()].flatMap(({ stepId, checks }) =>
    checks
      .filter(({ passed, severity }) => !passed && severity === "error")
      .map(({ condition, message = "" }) => `${stepId}: ${condition ?? message}`),
  );
}

/** The runner types its configuration by a copy of Redocly's library of its own, a few versions older; at run time either serves. */
async function runnersConfig(): Promise<RespectOptions["config"]> {
  const config: unknown = await createConfig({});
  return config as RespectOptions["config"];
}
