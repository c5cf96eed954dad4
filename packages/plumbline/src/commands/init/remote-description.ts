import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DiagnosticsError } from "@plumbline/kit/model";
import { fetchDescription, type FetchedFile } from "./fetch-description.js";

/** A description from a server, and what reading it gave. */
export interface RemoteDescription<T> {
  readonly read: T;
  /** The description first. */
  readonly files: readonly FetchedFile[];
  readonly source: string;
}

/**
 * Fetches a description, and reads it in a temporary folder. Diagnostics have URLs as files.
 *
 * @param read - Reads the description at a path relative to a folder, and throws DiagnosticsErrors with paths relative to it.
 */
export async function readRemoteDescription<T>(
  address: string,
  read: (description: string, folder: string) => Promise<T>,
): Promise<RemoteDescription<T>> {
  const { files, source } = await fetchDescription(address);
  const folder = await mkdtemp(path.join(tmpdir(), "plumbline-init-"));
  try {
    for (const { name, text } of files) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    const [root] = files;
    return { read: await read(root?.name ?? "", folder), files, source };
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    const sources = new Map(files.map((file) => [file.name, file.source]));
    throw new DiagnosticsError(
      error.diagnostics.map((each) => {
        const file = sources.get(each.origin.file) ?? each.origin.file;
        return { ...each, origin: { ...each.origin, file } };
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
