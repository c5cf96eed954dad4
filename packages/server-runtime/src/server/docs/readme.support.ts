import { readFile } from "node:fs/promises";
import type { Server } from "../index.js";
import { serveDocs } from "./index.js";

/** Adds the description in a file, and a page that lists its operations. */
export function withDocs(server: Server, file: string): Server {
  return serveDocs(server, { json: () => readFile(file, "utf8") });
}
