import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "./clean-stop.js";

/** Reads a file in parts, each of which is valid until the next one. */
export function* readParts(path: string): Generator<Buffer> {
  const source = openSync(path, "r");
  const bytes = Buffer.alloc(bytesAtOnce);
  try {
    for (let part = 0; ; part += 1) {
      const length = readSync(source, bytes);
      if (length === 0 && part > 0) return;
      yield bytes.subarray(0, length);
    }
  } finally {
    closeSync(source);
  }
}

const bytesAtOnce = 1_048_576;

/** Writes files in parts. A file gets its name when all of it is on disk. One that exists stays, since image data never change. */
export class ImageFiles {
  readonly #created: string[] = [];
  #path: string | undefined;
  #file: number | undefined;

  /** Writes a part of a file, after its other parts. */
  write(path: string, bytes: Buffer): void {
    if (path !== this.#path) this.#begin(path);
    if (this.#file !== undefined) writeFileSync(this.#file, bytes);
  }

  /** The last file is complete. */
  finish(): void {
    if (this.#file === undefined || this.#path === undefined) return;
    fsyncSync(this.#file);
    this.#close();
    renameSync(`${this.#path}.part`, this.#path);
    syncFolder(this.#path);
  }

  /** Deletes the files that were written. */
  remove(): void {
    this.#close();
    for (const path of this.#created) for (const name of [path, `${path}.part`]) rmSync(name, { force: true });
  }

  #begin(path: string): void {
    this.finish();
    this.#path = path;
    if (existsSync(path)) return;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#file = openSync(`${path}.part`, "w", 0o600);
    this.#created.push(path);
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
