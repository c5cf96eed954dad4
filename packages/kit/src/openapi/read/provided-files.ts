/** Files that are not on the disk, such as standard input, by absolute path. Every reader of this process finds them first. */
const provided = new Map<string, Uint8Array>();

/** Provides the content of a file that is not on the disk. A later call replaces it. */
export function provideFile(file: string, bytes: Uint8Array): void {
  provided.set(file, bytes);
}

export function providedBytes(file: string): Uint8Array | undefined {
  return provided.get(file);
}

/** All provided files, for another thread. */
export function providedFiles(): ReadonlyMap<string, Uint8Array> {
  return provided;
}
