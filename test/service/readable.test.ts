import path from "node:path";
import { buildApi, loadDescription } from "@plumbline/kit/openapi";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Maker } from "../support/making/arbitraries.js";
import { jsonBody, readModel, type Json, type Operation } from "../support/model.js";
import { startOracle } from "../support/oracle.js";
import { repository } from "../support/places.js";
import { propertyRuns } from "../support/property-testing.js";
import { startServiceInProcess } from "../support/service-in-process.js";

/*
 * Bodies of every operation: accepted ones, with some fields replaced by any valid values. What the service accepts, it has to show: alone, in lists
 * and in events, with a body that an independent validator accepts.
 */

type Fields = Readonly<Record<string, Json>>;

const api = await readModel();
const controlsFile = path.join(repository, "spec", "test-controls.yaml");
const controlsApi = buildApi(await loadDescription(controlsFile), { names: {}, requirements: undefined });
const oracle = await startOracle();
const runs = propertyRuns(6, 1000);

/** The objects of a store, by the parameters of paths. */
interface Fixture {
  readonly ids: Readonly<Record<string, Json>>;
  readonly disk: number;
}

const password = "aComplex-P4ssword";
const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEc3+v1Mw4mW79yUtlnjXgdekcs2vhmfRXi5ISe89ztH user@example.com";
const pools: Json = [{ type: "g6-standard-2", count: 1 }];

/** Bodies that are accepted. What they refer to exists. */
const bodies: Readonly<Record<string, (fixture: Fixture) => Fields>> = {
  createInstance: () => ({ region: "us-east", type: "g6-nanode-1", image: "compute/debian12", root_pass: password }),
  cloneInstance: () => ({ region: "us-east", type: "g6-standard-2" }),
  restoreInstanceBackup: ({ ids }) => ({ compute_id: ids["computeId"] ?? null, overwrite: true }),
  createInstanceConfig: ({ disk }) => ({ label: "a", devices: { sda: { disk_id: disk } } }),
  createImage: ({ disk }) => ({ disk_id: disk }),
  uploadImage: () => ({ label: "a", region: "us-east" }),
  createTag: ({ ids }) => ({ label: "other", computes: [ids["computeId"] ?? null] }),
  createCluster: () => ({ label: "other", region: "us-east", k8s_version: "1.30", node_pools: pools }),
  createClusterPool: () => ({ type: "g6-standard-2", count: 1 }),
  sendPhoneCode: () => ({ iso_code: "US", phone_number: "555-555-0123" }),
  answerSecurityQuestions: () => ({ security_questions: answersTo([{ response: "one" }, {}, {}]) }),
  createSSHKey: () => ({ label: "other", ssh_key: sshKey }),
  createDomain: () => ({ domain: "example.org", type: "master", soa_email: "a@example.org" }),
  cloneDomain: () => ({ domain: "example.net" }),
  createDomainRecord: () => ({ type: "A", name: "www", target: "203.0.113.7" }),
  createUser: () => ({ username: "bob" }),
  createVolume: () => ({ label: "data", size: 20, region: "us-east" }),
  createNodeBalancer: () => ({ label: "front", region: "us-east" }),
  createStackScript: () => ({ label: "web", images: ["compute/debian12"] }),
  createApp: () => ({ label: "dashboard", scopes: "computes:read_only" }),
  createDevice: () => ({ user_agent: "Mozilla/5.0" }),
  createLogin: () => ({ ip: "203.0.113.7" }),
};

/** Only three questions exist. */
const answersTo = (answers: readonly Fields[]): Json =>
  answers.map((answer, index) => ({ response: `${index} answer`, ...answer, question_id: index + 1 }));

/** Replaces references that are made up. */
const withReferences: Readonly<Record<string, (body: Fields) => Fields>> = {
  answerSecurityQuestions: ({ security_questions }) => ({
    security_questions: answersTo(security_questions as readonly Fields[]),
  }),
};

/** They need a nameserver, a number that exists, a code that the service has sent, an instance that is off, and a backup for each week of some thousand years. */
const unpredictable = new Set([
  "importDomain",
  "verifyPhoneNumber",
  "confirmTwoFactor",
  "bootInstance",
  "advanceClock",
]);

const changes = [
  ...api.operations.map((operation) => ({ operation, isControl: false })),
  ...controlsApi.operations.map((operation) => ({ operation, isControl: true })),
].filter(({ operation }) => jsonBody(operation) !== undefined && !unpredictable.has(operation.name));

let service: Awaited<ReturnType<typeof startServiceInProcess>>;
let fixture: Fixture;

describe("what the service accepts, it shows", () => {
  test.each(changes.map(({ operation, isControl }) => [operation.name, operation, isControl] as const))(
    "%s",
    async (name, operation, isControl) => {
      service = await startServiceInProcess(["--pace", "0", "--log", "fatal"]);
      fixture = await createFixture();
      const schema = jsonBody(operation)?.json.schema;
      if (schema === undefined) throw new Error("no body");
      const valid = new Maker(isControl ? controlsApi : api).of(schema).map(({ value }) => value as Fields);
      const replaced = fc.oneof(fc.constant(undefined), fc.array(fc.nat(), { minLength: 1, maxLength: 3 }));
      let accepted = 0;
      await fc.assert(
        fc.asyncProperty(valid, replaced, async (values, picks) => {
          await control("POST", "/clock", { advance: "PT31S" });
          const made = { ...bodies[name]?.(fixture), ...some(values, picks) };
          const body = withReferences[name]?.(made) ?? made;
          const target = filled(operation.path.replace("/regions/{id}", "/regions/us-east"), fixture.ids);
          const answer = await (isControl ? control : call)(operation.method, target, body);
          expect(answer.status).toBeLessThan(500);
          if (answer.status >= 400) return;
          accepted += 1;
          await readAll(operation, answer.body);
        }),
        // Random fields may replace all that a body is accepted for in each run.
        { ...runs, examples: [[{}, []]] },
      );
      expect(accepted).toBeGreaterThan(0);
    },
  );
});

/** All of the values, or those of some fields. */
function some(values: Fields, picks: readonly number[] | undefined): Fields {
  const names = Object.keys(values);
  if (picks === undefined || names.length === 0) return values;
  return Object.fromEntries(
    picks.map((pick) => names[pick % names.length] ?? "").map((name) => [name, values[name] ?? null]),
  );
}

/** Reads what the change may have changed: the lists of its area, its object, the other objects, and the events. */
async function readAll(operation: Operation, created: Json | undefined): Promise<void> {
  await control("POST", "/settle");
  const id = (created as { readonly id?: Json } | null | undefined)?.id;
  const area = areaOf(operation);
  for (const { method, path: template } of api.operations) {
    if (
      method !== "GET" ||
      !(areaOf({ path: template }) === area || template === "/account/events" || template === "/tags")
    )
      continue;
    const [, parameter = ""] = /\{(\w+)\}$/.exec(template) ?? [];
    const own =
      id !== undefined && template.startsWith(`${operation.path}/{`)
        ? { ...fixture.ids, [parameter]: id }
        : fixture.ids;
    const answer = await call("GET", filled(template, own));
    // 204: an unrestricted user has no grants. 404: the change has deleted it.
    expect([template, [200, 204, 404].includes(answer.status) ? 200 : answer.status]).toEqual([template, 200]);
    const isValid = answer.status !== 200 || oracle.response("GET", template)(answer.body);
    expect([template, isValid || oracle.response("GET", template).errors]).toEqual([template, true]);
  }
}

/** The controls act on objects of several areas. */
function areaOf({ path: template }: Pick<Operation, "path">): string {
  const [, first = ""] = template.split("/");
  return (
    {
      users: "profile",
      apps: "profile",
      devices: "profile",
      logins: "profile",
      payments: "profile",
      instances: "compute",
      clock: "profile",
    }[first] ?? first
  );
}

function filled(template: string, ids: Readonly<Record<string, Json>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(idText(ids[name])));
}

function idText(id: Json | undefined): string {
  return typeof id === "string" ? id : JSON.stringify(id ?? 1);
}

interface Answer {
  readonly status: number;
  readonly body: Json | undefined;
}

const call = async (method: string, target: string, body?: Json): Promise<Answer> =>
  send(service.url + target, { method, body, token: service.token });

const control = async (method: string, target: string, body?: Json): Promise<Answer> =>
  send(service.controls + target, { method, body });

async function send(
  url: string,
  { method, body, token }: { readonly method: string; readonly body: Json | undefined; readonly token?: string },
): Promise<Answer> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as Json) };
}

async function createFixture(): Promise<Fixture> {
  const idOf = async (answer: Promise<Answer>): Promise<number> => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(JSON.stringify(body));
    return (body as { readonly id: number }).id;
  };
  const post = (target: string, body?: Json): Promise<number> => idOf(call("POST", target, body));
  const instance = { region: "us-east", type: "g6-standard-2", image: "compute/debian12", root_pass: password };
  const computeId = await post("/compute/instances", { ...instance, backups_enabled: true });
  await control("POST", "/settle");
  const { body: disks } = await control("GET", `/instances/${computeId}/disks`);
  const disk = (disks as { readonly data: readonly { readonly id: number }[] }).data[0]?.id ?? 0;
  const backupId = await post(`/compute/instances/${computeId}/backups`, { label: "a" });
  await control("POST", "/settle");
  const imageId = await post("/images", { disk_id: disk, label: "a" });
  const domainId = await post("/domains", { domain: "example.com", type: "master", soa_email: "a@example.com" });
  const recordId = await post(`/domains/${domainId}/records`, { type: "A", name: "a", target: "203.0.113.7" });
  const clusterId = await post("/kube/clusters", {
    label: "a",
    region: "us-east",
    k8s_version: "1.30",
    node_pools: pools,
  });
  const poolId = await post(`/kube/clusters/${clusterId}/pools`, { type: "g6-standard-2", count: 1 });
  await call("POST", "/tags", { label: "a", computes: [computeId], domains: [domainId] });
  const sshKeyId = await post("/profile/sshkeys", { label: "a", ssh_key: sshKey });
  const tokenId = await post("/profile/tokens", { label: "a" });
  const appId = await idOf(control("POST", "/apps", { label: "a", scopes: "*" }));
  const deviceId = await idOf(control("POST", "/devices", { user_agent: "a" }));
  const loginId = await idOf(control("POST", "/logins", { ip: "203.0.113.7" }));
  await control("POST", "/settle");
  const ids = {
    computeId,
    backupId,
    imageId,
    domainId,
    recordId,
    clusterId,
    poolId,
    sshKeyId,
    tokenId,
    appId,
    deviceId,
    loginId,
  };
  return { ids: { ...ids, label: "a", username: "admin", id: computeId, regionId: "us-east" }, disk };
}
