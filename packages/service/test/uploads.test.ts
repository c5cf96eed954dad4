import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGzip, gzipSync } from "node:zlib";
import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { megabyte, put, sendSlowly, ticket } from "../src/features/images/uploads.support.js";
import * as controls from "../src/testing/index.js";
import { isFull } from "./support/form.js";
import { run, type Program } from "./support/program.js";
import { inFile } from "./support/stores.js";

/** The peak memory of a process so far, in bytes. */
function peakMemoryOf({ pid }: Program): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/** Sends data in equal blocks. Returns the peak memory of the program so far. */
async function peakOf(program: Program, { bytes, block, level }: Data): Promise<number> {
  const { address, id } = await ticket(program);
  const blocks = Readable.from(
    (function* () {
      for (let sent = 0; sent < bytes; sent += block.length) yield block;
    })(),
  );
  expect(await put(address, blocks.pipe(createGzip({ level })))).toEqual([200, {}]);
  await controls.settle(program.controls);
  expect(await api.getImage(program.admin, { path: { imageId: id } })).toMatchObject({
    status: "available",
    size: bytes / megabyte,
  });
  return peakMemoryOf(program);
}

interface Data {
  readonly bytes: number;
  readonly block: Buffer;
  /** The level of gzip: 0 does not compress. */
  readonly level: number;
}

/** Megabytes. The differences exceed the normal variation of the program's memory. */
const sizes = isFull ? { few: 24, many: 128, zeros: 512 } : { few: 8, many: 64, zeros: 64 };

test("uploads use constant memory for any size of image data", async () => {
  const { args } = await inFile();
  const program = await run(args);
  const random = { block: randomBytes(megabyte), level: 0 };
  const few = await peakOf(program, { bytes: sizes.few * megabyte, ...random });
  const many = await peakOf(program, { bytes: sizes.many * megabyte, ...random });
  const zeros = await peakOf(program, { bytes: sizes.zeros * megabyte, block: Buffer.alloc(megabyte), level: 1 });
  expect(few).toBeGreaterThan(0);
  expect(many - few).toBeLessThan(48 * megabyte);
  expect(zeros - few).toBeLessThan(48 * megabyte);
});

test("an upload during a kill of the service leaves no partial image, and can be repeated", async () => {
  const { args } = await inFile();
  const folder = args[1] ?? "";
  const data = gzipSync(randomBytes(2 * megabyte));
  const files = (): string[] => readdirSync(join(folder, "uploads"), { recursive: true, encoding: "utf8" });
  const killed = await run(args);
  const { address, id } = await ticket(killed);
  const upload = sendSlowly(address, data);
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
