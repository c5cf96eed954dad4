import { readFile } from "node:fs/promises";
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
    ...(site === undefined ? {} : { site: (file) => readIfExists(path.join(site, file)) }),
  });
}

async function readIfExists(file: string): Promise<Uint8Array | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "EISDIR" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
}
