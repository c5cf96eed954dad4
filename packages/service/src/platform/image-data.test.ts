import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGzip, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { ImageTooLarge, keepImageData } from "./image-data.js";

const megabyte = 1_048_576;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-image-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "image-1");
}

async function* once(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield data;
}

test("data unpack to as much as they may, and to no byte more", async () => {
  const folder = newFolder();
  const data = gzipSync(Buffer.alloc(3 * megabyte));
  const { file, size } = await keepImageData(folder, once(data), { most: 3 * megabyte });
  expect(size).toBe(3 * megabyte);
  await expect(keepImageData(folder, once(data), { most: 3 * megabyte - 1 })).rejects.toThrow(ImageTooLarge);
  expect(readdirSync(folder)).toEqual([file]);
});

test("data that never end are left as soon as they are too large", async () => {
  const folder = newFolder();
  const gzip = createGzip({ level: 1 });
  const zeros = Buffer.alloc(megabyte);
  let blocks = 0;
  let isLeft = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (; blocks < 4000; blocks += 1) {
        gzip.write(zeros);
        await new Promise<void>((resolve) => gzip.flush(resolve));
        for (let chunk = gzip.read() as Uint8Array | null; chunk !== null; chunk = gzip.read() as Uint8Array | null)
          yield chunk;
      }
    } finally {
      isLeft = true;
      gzip.destroy();
    }
  }
  await expect(keepImageData(folder, endless(), { most: 4 * megabyte })).rejects.toThrow(ImageTooLarge);
  expect(isLeft).toBe(true);
  // What is unpacked already is a few chunks ahead of what is counted.
  expect(blocks).toBeLessThan(40);
  expect(readdirSync(folder)).toEqual([]);
});

test("the folder and the file are their owner's alone", async () => {
  const folder = newFolder();
  const { file } = await keepImageData(folder, once(gzipSync("data")), { most: megabyte });
  expect([statSync(folder).mode & 0o777, statSync(join(folder, file)).mode & 0o777]).toEqual([0o700, 0o600]);
});
