import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as api from "@cloud-compute/client";
import { expect, onTestFinished, test, vi } from "vitest";
import * as controls from "../src/testing/index.js";
import { run } from "./support/program.js";

test("jobs run once and on time when the machine's clock is set back by an hour", async () => {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-clock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Sets back the clock of a process, since a test cannot set the machine's.
  const clock = join(folder, "clock.mjs");
  writeFileSync(
    clock,
    `const now = Date.now;
    process.once("SIGUSR2", () => {
      Date.now = () => now() - 3_600_000;
      process.stderr.write("set back\\n");
    });`,
  );
  vi.stubEnv("NODE_OPTIONS", `--import ${pathToFileURL(clock).href}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { admin, controls: control, pid, log } = await run(["--data", ":memory:", "--pace", "60", "--log", "debug"]);
  const create = async (): Promise<number> => {
    const body = {
      region: "us-east",
      type: "g6-nanode-1",
      image: "compute/debian12",
      root_pass: "correct Horse 7 battery",
    };
    return (await api.createInstance(admin, { body })).id;
  };
  const statuses = async (): Promise<string[]> => (await api.listInstances(admin)).data.map(({ status }) => status);
  const hold = async (isHeld: boolean): Promise<void> =>
    void (await controls.hold(control, { body: { hold: isHeld } }));
  await hold(true);
  await create();
  process.kill(pid, "SIGUSR2");
  await vi.waitUntil(() => log().includes("set back"), until);
  expect(await statuses()).not.toEqual(["running"]);
  await hold(false);
  await create();
  await vi.waitUntil(async () => (await statuses()).join() === "running,running", until);
  const doneJobs = (): readonly { readonly id: number; readonly kind: string }[] =>
    log()
      .split("\n")
      .filter((line) => line.includes("a job was done"))
      .map((line) => (JSON.parse(line) as { job: { id: number; kind: string } }).job);
  await vi.waitUntil(() => doneJobs().filter(({ kind }) => kind === "provision").length === 2, until);
  const ids = doneJobs().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

const until = { timeout: 240_000, interval: 20 };
