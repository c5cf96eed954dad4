import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { repository } from "./places.js";

/** The files of the repository as git sees them, new ones too and ignored ones not, with forward slashes. */
export function trackedFiles(): readonly string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const names = execFileSync("git", args, { cwd: repository, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\0");
  return [...new Set(names)].filter((name) => name !== "" && existsSync(path.join(repository, name)));
}

export function readTracked(name: string): string {
  return readFileSync(path.join(repository, name), "utf8");
}
