import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGzip, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { ImageTooLargeError, keepImageData } from "./image-data.js";

const megabyte = 1_048_576;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-image-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "image-1");
}

async function* once(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield data;
}

test("data may unpack to exactly the limit", async () => {
  const folder = newFolder();
  const data = gzipSync(Buffer.alloc(3 * megabyte));
  const { file, size } = await keepImageData(folder, once(data), { most: 3 * megabyte });
  expect(size).toBe(3 * megabyte);
  await expect(keepImageData(folder, once(data), { most: 3 * megabyte - 1 })).rejects.toThrow(ImageTooLargeError);
  expect(readdirSync(folder)).toEqual([file]);
});

test("endless data is rejected as soon as it exceeds the limit", async () => {
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
  await expect(keepImageData(folder, endless(), { most: 4 * megabyte })).rejects.toThrow(ImageTooLargeError);
  expect(isLeft).toBe(true);
  // The decompressor is a few chunks ahead of the count.
  expect(blocks).toBeLessThan(40);
  expect(readdirSync(folder)).toEqual([]);
});

test("only the owner can read the folder and the file", async () => {
  const folder = newFolder();
  const { file } = await keepImageData(folder, once(gzipSync("data")), { most: megabyte });
  expect([statSync(folder).mode & 0o777, statSync(join(folder, file)).mode & 0o777]).toEqual([0o700, 0o600]);
});
