import type { Dirent } from "node:fs";
import { open, readdir } from "node:fs/promises";
import path from "node:path";

const maxDepth = 3; // levels of folders below the searched one
const maxEntries = 2000; // visited entries: a longer search would delay the question
const sniffedBytes = 2 ** 16; // bytes that are searched for the `openapi` key

/** Finds descriptions below a folder. Paths are relative to it, with forward slashes; upper levels come first. */
export async function findDescriptions(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  let visited = 0;
  let level = [folder];
  for (let depth = 0; depth <= maxDepth && visited < maxEntries; depth += 1) {
    const next: string[] = [];
    for (const each of level) {
      for (const entry of await listEntries(each)) {
        visited += 1;
        if (visited > maxEntries) break;
        const file = path.join(each, entry.name);
        if (entry.isDirectory() && !isIgnoredFolder(entry.name)) next.push(file);
        if (entry.isFile() && /\.(ya?ml|json)$/i.test(entry.name) && (await isDescription(file))) files.push(file);
      }
    }
    level = next;
  }
  return files.map((file) => path.relative(folder, file).split(path.sep).join("/"));
}

/** Lists a folder; an unreadable one counts as empty. */
async function listEntries(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isIgnoredFolder(name: string): boolean {
  return name === "node_modules" || name.startsWith(".");
}

async function isDescription(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    return /^["']?openapi["']?\s*:\s*["']?3\.|[{,]\s*"openapi"\s*:\s*"3\./m.test(buffer.toString("utf8", 0, bytesRead));
  } finally {
    await handle.close();
  }
}
