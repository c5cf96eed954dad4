import { generateKeyPairSync, randomInt, randomUUID } from "node:crypto";
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as controls from "@cloud-compute/service/testing";
import { parseYaml } from "@redocly/openapi-core";
import { expect } from "vitest";
import { repository, temporaryFolder } from "./places.js";
import { runNode } from "./run.js";
import type { Ready } from "./service.js";

/** Where the workflows of our API are. */
export const workflowFolder: string = path.join(repository, "spec", "workflows");

/**
 * A copy of the description in which the schema of X-Filter does not contain itself: the runner follows references without end. The runner
 * also validates responses against each branch of a condition in isolation. Its results for schemas are therefore ignored: our suite
 * validates them.
 */
export async function copyWithoutRecursion(): Promise<string> {
  const copy = await temporaryFolder();
  await cp(path.join(repository, "spec"), copy, { recursive: true });
  const parameters = path.join(copy, "conventions", "parameters.yaml");
  const text = await readFile(parameters, "utf8");
  const flat = text.replace("{$ref: 'schemas.yaml#/FilterExpression'}", "{type: object}");
  expect(flat).not.toBe(text);
  await writeFile(parameters, flat);
  return copy;
}

/** A workflow of a file. */
export interface Workflow {
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
    readonly "x-inputs"?: Workflow["given"];
  }[];
  readonly components?: { readonly inputs?: Readonly<Record<string, Schema>> };
}

/** The workflows of a file. */
export async function workflowsOf(file: string): Promise<readonly Workflow[]> {
  const { workflows, components } = parseYaml(await readFile(file, "utf8")) as ArazzoFile;
  return workflows.map(({ workflowId: id, inputs, "x-inputs": given = {} }) => {
    const schema = inputs.$ref === undefined ? inputs : components?.inputs?.[path.posix.basename(inputs.$ref)];
    return { id, inputs: Object.keys(schema?.properties ?? {}), given };
  });
}

/** The inputs of a workflow, as the suite's runtime provides them. */
export async function inputsOf(
  { inputs, given }: Pick<Workflow, "inputs" | "given">,
  service: Ready,
): Promise<Readonly<Record<string, string>>> {
  const values = inputs.map(async (name) => [name, await valueOf(given[name] ?? {}, { name, service })] as const);
  return Object.fromEntries(await Promise.all(values));
}

/** A caller, something new, or a time. */
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

export interface WorkflowRun {
  readonly id: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly service: Ready;
}

/** The failed steps of a run, with the condition or the reason. */
export async function failuresOf(file: string, { id, inputs, service }: WorkflowRun): Promise<readonly string[]> {
  const program = path.join(repository, "test", "tools", "run-workflow.mjs");
  const request = { file, id, inputs, url: service.url, controls: service.controls };
  const { code, out, error } = await runNode([program, JSON.stringify(request)], { in: path.dirname(file) });
  expect({ code, error }).toEqual({ code: 0, error: "" });
  return JSON.parse(out) as readonly string[];
}
