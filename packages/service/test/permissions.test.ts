import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { put, ticket } from "../src/features/images/uploads.support.js";
import { run } from "./support/program.js";

/** The paths in a folder that have these permissions. */
function pathsWith(mode: number, folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths.filter((each) => (statSync(join(folder, each)).mode & 0o777) === mode).toSorted();
}

test("the service creates files that only the owner can access, and keeps an existing folder unchanged", async () => {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-modes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const open = join(folder, "open");
  mkdirSync(open);
  chmodSync(open, 0o755);
  const program = await run(["--data", open, "--upload-dir", join(folder, "new", "uploads")]);
  expect(await put((await ticket(program)).address, gzipSync("data"))).toEqual([200, {}]);
  const files = pathsWith(0o600, folder);
  const folders = ["new", "new/uploads", "new/uploads/image-1"];
  expect(pathsWith(0o700, folder)).toEqual(folders);
  expect(pathsWith(0o755, folder)).toEqual(["open"]);
  expect(readdirSync(folder, { recursive: true })).toHaveLength(files.length + folders.length + 1);
  for (const name of [
    "open/cloud-compute.db",
    "open/cloud-compute.db-wal",
    "open/cloud-compute.db-shm",
    "open/lock.db",
  ])
    expect(files).toContain(name);
  expect(files.filter((each) => each.endsWith(".img.gz"))).toHaveLength(1);
  expect(await program.end("SIGTERM")).toBe(0);
  const warnings = program
    .log()
    .split("\n")
    .filter((line) => line.includes("permissions on the folder"));
  expect(warnings.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 40, folder: open, mode: "755" }]);
});
