import { existsSync } from "node:fs";
import { join } from "node:path";

/** Finds a program of the system. The unit form starts no programs, so it finds none. */
export function findProgram(name: string): string | undefined {
  if (process.env["MODE"] === "unit") return undefined;
  const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin", "/usr/bin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}
