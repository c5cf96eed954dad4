import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { adminAddressOf } from "./support/admin-address.js";
import { run, type Program } from "./support/program.js";

async function start(...args: readonly string[]): Promise<Program & { readonly at: string }> {
  const program = await run(["--data", ":memory:", "--pace", "0", "--log", "info", "--admin-port", "0", ...args]);
  return { ...program, at: await adminAddressOf(program) };
}

test("on SIGTERM the service is not ready, and goes on until the seconds of `--drain-seconds` are over", async () => {
  const { admin, at, end } = await start("--drain-seconds", "2");
  expect((await fetch(`${at}/readyz`)).status).toBe(200);
  const ended = end("SIGTERM");
  await expect.poll(async () => (await fetch(`${at}/readyz`)).status).toBe(503);
  expect((await api.listRegions(admin)).results).toBeGreaterThan(0);
  expect(await ended).toBe(0);
});

test("requests, limits, findings and jobs are counted", async () => {
  const { admin, at } = await start();
  const deployed = { image: "compute/debian12", root_pass: "aComplex-P4ssword" };
  const body = { region: "us-east", type: "g6-nanode-1", ...deployed };
  for (let made = 0; made < 11; made += 1) await api.createInstance(admin, { body }).catch(() => undefined);
  await api.createTag(admin, { body: { label: 5 } as never }).catch(() => undefined);
  const metrics = async (): Promise<string> => (await fetch(`${at}/metrics`)).text();
  await expect.poll(metrics).toMatch(/cloud_compute_jobs_total{kind="[\w-]+",outcome="done"} \d/);
  const text = await metrics();
  for (const line of [
    'cloud_compute_requests_total{operation="createInstance",status="200"} 10',
    'cloud_compute_limits_reached_total{limit="instance-creates"} ',
    'cloud_compute_request_duration_seconds_count{operation="createInstance"} 11',
    'cloud_compute_validation_issues_total{field="body/label",code="type"} 1',
    "cloud_compute_requests_in_flight 0",
  ])
    expect(text).toContain(line);
});

test("a line for each request has its operation, its user and its trace", async () => {
  const { url, as, admin, log } = await start("--log-requests");
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await api.listTags(admin, {}, { headers: { traceparent } });
  await api.listTags(as("unknown")).catch(() => undefined);
  await fetch(`${url}/nothing`, { headers: { traceparent: "00-secret" } });
  const lines = () =>
    log()
      .split("\n")
      .filter((line) => line.includes('"msg":"request"'));
  await expect.poll(lines).toHaveLength(3);
  const ms = expect.any(Number) as number;
  const requestId = expect.stringMatching(/^[0-9a-f]{18}$/) as string;
  const [known, unknown, elsewhere] = lines().map((line) => JSON.parse(line) as object);
  expect(known).toMatchObject({
    requestId,
    operation: "listTags",
    status: 200,
    ms,
    user: "admin",
    traceId: "0af7651916cd43dd8448eb211c80319c",
  });
  expect(unknown).toMatchObject({ operation: "listTags", status: 401 });
  expect(elsewhere).toMatchObject({ status: 404 });
  for (const key of ["user", "traceId"])
    expect([unknown, elsewhere]).not.toContainEqual(expect.objectContaining({ [key]: expect.anything() as unknown }));
});
