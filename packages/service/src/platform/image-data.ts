import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

/** Data that are on disk, whole. */
export interface ImageData {
  /** The name of their file within the folder of the image. */
  readonly file: string;
  /** Bytes of the disk image, uncompressed. */
  readonly size: number;
}

/** The data of an image are not gzip, or not all of it. */
export class NotGzip extends Error {
  override readonly name = "NotGzip";
}

/** The data unpack to more than an image may have. */
export class ImageTooLarge extends Error {
  override readonly name = "ImageTooLarge";
}

/** The disk has no room, or cannot be written to. */
export class DiskUnusable extends Error {
  override readonly name = "DiskUnusable";
}

/** Where the data of an image are. */
export function imageFolder(uploadFolder: string, image: { readonly number: number | null }): string {
  return join(uploadFolder, `image-${String(image.number)}`);
}

/**
 * Writes data to a file of their own while they come, and unpacks them to see whether they are whole, keeping none of it in memory. The file has its
 * name when all of it is on disk; before, and after a failure, there is none. Throws a NotGzip, an ImageTooLarge as soon as more than `most` bytes
 * are unpacked, a DiskUnusable, or what the stream failed with.
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
    const size = await written(partial, body, most);
    await onDisk(async () => {
      await rename(partial, join(folder, file));
      // A name is on disk when its folder is.
      await synced(folder);
      await synced(dirname(folder));
    });
    return { file, size };
  } catch (error) {
    // What failed first is what is told.
    await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
}

/** Takes away what is in the folder of an image, but for one file. Nothing is there is no failure. */
export async function keepOnly(folder: string, file: string | null): Promise<void> {
  // While it is emptied, an upload that nobody waits for may still make a file there.
  if (file === null) return rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  const names = existsSync(folder) ? await readdir(folder) : [];
  await Promise.all(names.filter((name) => name !== file).map((name) => rm(join(folder, name), { force: true })));
}

/** Takes away one file of an image. */
export async function dropImageData(folder: string, file: string): Promise<void> {
  await rm(join(folder, file), { force: true });
}

/** Gives how many bytes the data unpack to. */
async function written(path: string, body: AsyncIterable<Uint8Array>, most: number): Promise<number> {
  const handle = await onDisk(() => open(path, "wx", 0o600));
  let size = 0;
  try {
    await pipeline(
      alsoTo(handle, body),
      createGunzip({ chunkSize: unpackedAtOnce }),
      async (unpacked: AsyncIterable<Uint8Array>) => {
        for await (const { length } of unpacked) {
          size += length;
          if (size > most) throw new ImageTooLarge(`the data unpack to more than ${most} bytes`);
        }
      },
    );
    await onDisk(() => handle.sync());
    return size;
  } catch (error) {
    throw isOfZlib(error) ? new NotGzip("the data are not whole gzip", { cause: error }) : error;
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

async function synced(folder: string): Promise<void> {
  // Windows has no handles of folders.
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
    throw new DiskUnusable("image data could not be written", { cause: error });
  }
}

function isOfZlib(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && /^Z_(DATA|BUF)_ERROR$/.test(code);
}

/** Bytes. */
const unpackedAtOnce = 262_144;
