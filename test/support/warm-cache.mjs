// A test installs the packages as their users do, without a network: what npm knows of their dependencies has to be in its cache, and
// `npm ci` leaves only the packages themselves there.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publicPackages } from "../release/manifests.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const own = /^(@(plumbline|cloud-compute)\/|plumbline$)/;
const read = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
const wanted = publicPackages(root).flatMap(({ folder }) => Object.entries(read(folder).dependencies ?? {}));
// The first example of the validator runs in a server of Express.
const { express } = read("test").devDependencies;
// What is generated is built with a compiler that its owner installs.
const { typescript, "@types/node": types } = read("").devDependencies;
const third = Object.fromEntries(wanted.filter(([name]) => !own.test(name)));
const dependencies = { ...third, express, typescript, "@types/node": types };

const folder = mkdtempSync(join(tmpdir(), "plumbline-cache-"));
try {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "cache", private: true, dependencies }));
  const args = ["install", "--package-lock-only", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  // A registry may fail for a moment.
  for (let tries = 3; tries > 0; tries--) {
    const { status } = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    process.exitCode = status ?? 1;
    if (status === 0) break;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
