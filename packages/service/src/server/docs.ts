import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { documents } from "@cloud-compute/description";
import { serveDocs } from "@cloud-compute/server/docs";
import type { Server } from "@plumbline/server-runtime";

/**
 * Serves the description beside the API, and its reference at `/docs`.
 *
 * @param site - The folder of a reference site. Default: a page that lists the operations.
 */
export function withDocs(server: Server, site: string | undefined): Server {
  return serveDocs(server, {
    json: () => readFile(documents.json, "utf8"),
    yaml: () => readFile(documents.yaml, "utf8"),
    ...(site === undefined ? {} : { site: (file) => readIfExists(site, file) }),
  });
}

/** Reads a file of a folder. A link out of the folder, and what is not a file, count as missing. */
async function readIfExists(folder: string, file: string): Promise<Uint8Array | undefined> {
  const result = await readWithin(folder, file).catch((error: NodeJS.ErrnoException) => error.code ?? "");
  if (typeof result !== "string") return result;
  // The message of the system has the path of the folder.
  if (!missing.has(result)) throw new Error(`A file of the site cannot be read: ${result}`);
  return undefined;
}

async function readWithin(folder: string, file: string): Promise<Uint8Array | undefined> {
  const [root, target] = await Promise.all([realpath(folder), realpath(path.join(folder, file))]);
  if (!target.startsWith(root + path.sep) || !(await stat(target)).isFile()) return undefined;
  return readFile(target);
}

const missing: ReadonlySet<string> = new Set([
  "ENOENT",
  "EISDIR",
  "ENOTDIR",
  "ENAMETOOLONG",
  "ELOOP",
  "EACCES",
  "EPERM",
]);
