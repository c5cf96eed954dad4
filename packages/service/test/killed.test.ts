import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as api from "@cloud-compute/client";
import { expect, onTestFinished, test } from "vitest";
import { run, token } from "./support/program.js";

const question = (label: string) => ({ body: { label } });

test("the next start exits with 1 if the log is removed after kill -9, until the loss is accepted", async () => {
  const data = temporaryFolder();
  const first = await run(["--data", data]);
  await api.createTag(first.admin, question("first"));
  await first.end("SIGKILL");
  const second = await run(["--data", data]);
  expect((await api.listTags(second.admin)).results).toBe(1);
  await api.createTag(second.admin, question("second"));
  await second.end("SIGKILL");
  for (const end of ["wal", "shm"]) rmSync(join(data, `cloud-compute.db-${end}`));
  await expect(run(["--data", data])).rejects.toThrow(
    /ended with 1 .+cloud-compute: .+cloud-compute\.db-wal is missing, so that acknowledged writes may be lost\..+--accept-loss/,
  );
  const third = await run(["--data", data, "--accept-loss"]);
  expect(third.log()).toContain('"msg":"acknowledged writes may be lost"');
  expect((await api.listTags(third.admin)).data.map(({ label }) => label)).toEqual(["first"]);
  expect(await third.end("SIGTERM")).toBe(0);
  const fourth = await run(["--data", data]);
  expect((await api.listTags(fourth.admin)).results).toBe(1);
});

test("a program that is killed while it starts can be started again", async () => {
  const data = temporaryFolder();
  // Each is killed at a later change of a file: first of a new store, then of an existing one.
  for (const changes of [1, 4, 10, 2, 6]) await killedAtChange(data, changes);
  const program = await run(["--data", data]);
  await api.createTag(program.admin, question("first"));
  expect(await program.end("SIGTERM")).toBe(0);
});

/** Starts the program, and kills it after so many changes of files in its folder, or when it is ready. */
async function killedAtChange(data: string, changes: number): Promise<void> {
  let left = changes;
  const program = fileURLToPath(new URL("../bin/cloud-compute.js", import.meta.url));
  const child = spawn(process.execPath, [program, "serve", "--port", "0", "--data", data], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, CLOUD_COMPUTE_TOKEN: token, CLOUD_COMPUTE_LOG: "silent" },
  });
  const watcher = watch(data, () => {
    left -= 1;
    if (left === 0) child.kill("SIGKILL");
  });
  child.stdout.once("data", () => child.kill("SIGKILL"));
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  watcher.close();
  expect([code, signal]).toEqual([null, "SIGKILL"]);
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-killed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
