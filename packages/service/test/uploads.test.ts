import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGzip, gzipSync } from "node:zlib";
import * as api from "@cloud-compute/client";
import * as controls from "@cloud-compute/controls-client";
import { expect, test } from "vitest";
import { megabyte, put, slow, ticket } from "../src/areas/uploads.support.js";
import { run, type Program } from "./support/program.js";
import { inFile } from "./support/stores.js";

/** The memory of a process, in bytes. */
function residentOf({ pid }: Program): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) * 1024;
}

/** Sends so much data, in blocks that are all the same, and gives the most memory that the program took meanwhile. */
async function peakOf(program: Program, { bytes, block }: { readonly bytes: number; readonly block: Buffer }) {
  const { address, id } = await ticket(program);
  const blocks = Readable.from(
    (function* () {
      for (let sent = 0; sent < bytes; sent += block.length) yield block;
    })(),
  );
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, residentOf(program));
  }, 200);
  const answer = await put(address, blocks.pipe(createGzip({ level: 1 })));
  clearInterval(watch);
  expect(answer).toEqual([200, {}]);
  await controls.settle(program.controls);
  expect(await api.getImage(program.admin, { path: { imageId: id } })).toMatchObject({
    status: "available",
    size: bytes / megabyte,
  });
  return most;
}

test("image data take no memory, however many they are", async () => {
  const { args } = await inFile();
  const program = await run(args);
  const random = randomBytes(megabyte);
  const few = await peakOf(program, { bytes: 24 * megabyte, block: random });
  const many = await peakOf(program, { bytes: 128 * megabyte, block: random });
  const zeros = await peakOf(program, { bytes: 512 * megabyte, block: Buffer.alloc(megabyte) });
  expect(few).toBeGreaterThan(0);
  expect(many - few).toBeLessThan(48 * megabyte);
  expect(zeros - few).toBeLessThan(48 * megabyte);
});

test("an upload in the middle of which the service is killed leaves nothing half made, and is repeated", async () => {
  const { args } = await inFile();
  const folder = args[1] ?? "";
  const data = gzipSync(randomBytes(2 * megabyte));
  const files = (): string[] => readdirSync(join(folder, "uploads"), { recursive: true, encoding: "utf8" });
  const killed = await run(args);
  const { address, id } = await ticket(killed);
  const upload = slow(address, data);
  await upload.half;
  await expect.poll(() => files().filter((name) => name.endsWith(".part"))).toHaveLength(1);
  await killed.end("SIGKILL");

  const program = await run(args);
  const path = { imageId: id };
  expect(await api.getImage(program.admin, { path })).toMatchObject({ status: "pending_upload", size: 0 });
  const again = new URL(new URL(address).pathname, program.url).href;
  expect(await put(again, data)).toEqual([200, {}]);
  await program.end("SIGKILL");

  const last = await run(args);
  await controls.settle(last.controls);
  expect(await api.getImage(last.admin, { path })).toMatchObject({ status: "available", size: 2 });
  expect(files().filter((name) => name.includes("."))).toEqual([expect.stringMatching(/\.img\.gz$/)]);
});
