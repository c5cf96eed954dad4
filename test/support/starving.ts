import { spawnSync } from "node:child_process";

/** Ways to run a program without a resource of the system, as the arguments to put before the program's own. */

/** As a user with limited permissions: root is limited only after dropping its capabilities. */
export const bound: readonly string[] =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : ["env"];

/** Where no file may be larger than this many blocks of 512 bytes. */
export function withFilesUpTo(blocks: number): readonly string[] {
  return ["sh", "-c", 'ulimit -f "$0" && exec "$@"', String(blocks)];
}

export interface Disk {
  /** The folder whose files it has, and the one that gets those that are there in the end. */
  readonly from: string;
  readonly to: string;
  /** An empty folder: where it is. */
  readonly at: string;
}

/** On a disk with this number of free pages of 4 KiB; undefined where the user may not mount one. */
export const onDiskWith = mounting(`
  free=$(df -Pk . | awk 'NR == 2 { print $4 }')
  head -c "$(( (free - 4 * $amount) * 1024 ))" /dev/zero > filler`);

/** On a disk that may only be read. */
export const onReadOnlyDisk = mounting(`
  mount -o remount,ro "$at"`);

/** A disk in memory of this process and its children alone, which is gone with them. */
function mounting(then: string): ((disk: Disk, amount: number) => readonly string[]) | undefined {
  const ways = [
    ["unshare", "--mount"],
    ["unshare", "--mount", "--map-root-user"],
  ];
  const mount = ["sh", "-c", "mount -t tmpfs tmpfs /tmp"];
  const way = ways.find(([program = "", ...options]) => spawnSync(program, [...options, ...mount]).status === 0);
  if (way === undefined) return undefined;
  const script = `set -e
  at=$0 from=$1 to=$2 amount=$3
  shift 3
  mount -t tmpfs -o size=8m tmpfs "$at"
  cp -a "$from/." "$at"
  cd "$at"${then}
  code=0
  "$@" || code=$?
  mount -o remount,rw "$at"
  rm -f filler
  cp -a "$at/." "$to"
  exit "$code"`;
  return ({ from, to, at }, amount) => [...way, "sh", "-c", script, at, from, to, String(amount)];
}
