import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

/** Complete data on disk. */
export interface ImageData {
  /** The file name within the folder of the image. */
  readonly file: string;
  /** Bytes of the disk image, uncompressed. */
  readonly size: number;
}

/** The data of an image is not complete gzip. */
export class NotGzipError extends Error {
  override readonly name = "NotGzipError";
}

/** The data unpacks to more than the limit. */
export class ImageTooLargeError extends Error {
  override readonly name = "ImageTooLargeError";
}

/** The disk is full or not writable. */
export class DiskUnusableError extends Error {
  override readonly name = "DiskUnusableError";
}

/** The folder for the data of an image. */
export function imageFolder(uploadFolder: string, image: { readonly number: number | null }): string {
  return join(uploadFolder, `image-${String(image.number)}`);
}

/**
 * The path of the data of an image that has some.
 *
 * @throws TypeError for a name with which the file would be elsewhere
 */
export function imageFile(
  uploadFolder: string,
  { number, file }: { readonly number: number | null; readonly file: string | null },
): string {
  if (!Number.isInteger(number) || file === null || basename(file) !== file)
    throw new TypeError("an image names a file elsewhere");
  return join(imageFolder(uploadFolder, { number }), file);
}

/**
 * Writes data to a file of its own while it arrives, and unpacks it to check that it is complete, keeping none of it in memory. The file gets its
 * name when all of it is on disk. Before that, and after a failure, the file does not exist.
 *
 * @throws NotGzipError, ImageTooLargeError as soon as more than `most` bytes are unpacked, DiskUnusableError, or the error of the stream
 */
export async function keepImageData(
  folder: string,
  body: AsyncIterable<Uint8Array>,
  { most }: { readonly most: number },
): Promise<ImageData> {
  const file = `${randomUUID()}.img.gz`;
  const partial = join(folder, `${file}.part`);
  try {
    await onDisk(() => mkdir(folder, { recursive: true, mode: 0o700 }));
    const size = await writeTo(partial, body, most);
    await onDisk(async () => {
      await rename(partial, join(folder, file));
      // A name is on disk when its folder is.
      await syncFile(folder);
      await syncFile(dirname(folder));
    });
    return { file, size };
  } catch (error) {
    // The first error is the one to report.
    await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
}

/** Deletes all files in the folder of an image except one. A missing folder is fine. */
export async function keepOnly(folder: string, file: string | null): Promise<void> {
  // Meanwhile an upload without a client may still create a file there.
  if (file === null) return rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  const names = existsSync(folder) ? await readdir(folder) : [];
  await Promise.all(names.filter((name) => name !== file).map((name) => rm(join(folder, name), { force: true })));
}

/** Deletes one file of an image. */
export async function dropImageData(folder: string, file: string): Promise<void> {
  await rm(join(folder, file), { force: true });
}

/** Returns the number of unpacked bytes. */
async function writeTo(path: string, body: AsyncIterable<Uint8Array>, most: number): Promise<number> {
  const handle = await onDisk(() => open(path, "wx", 0o600));
  let size = 0;
  try {
    const unzip = createGunzip({ chunkSize: unpackedAtOnce });
    // From Node 22 on, a pipeline that fails waits for its source, so for more data of a client that may send none.
    const failed = new Promise<never>((_, reject) => unzip.once("error", (error) => isOfZlib(error) && reject(error)));
    const written = pipeline(alsoTo(handle, body), unzip, async (unpacked: AsyncIterable<Uint8Array>) => {
      for await (const { length } of unpacked) {
        size += length;
        if (size > most) throw new ImageTooLargeError(`the data unpack to more than ${most} bytes`);
      }
    });
    await Promise.race([failed, written]);
    await onDisk(() => handle.sync());
    return size;
  } catch (error) {
    throw isOfZlib(error) ? new NotGzipError("the data are not whole gzip", { cause: error }) : error;
  } finally {
    await handle.close();
  }
}

async function* alsoTo(handle: FileHandle, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    await onDisk(() => handle.appendFile(chunk));
    yield chunk;
  }
}

async function syncFile(folder: string): Promise<void> {
  // Windows has no handles for folders.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function onDisk<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new DiskUnusableError("image data could not be written", { cause: error });
  }
}

function isOfZlib(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && /^Z_(DATA|BUF)_ERROR$/.test(code);
}

/** Bytes. */
const unpackedAtOnce = 262_144;
