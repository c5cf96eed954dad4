import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Children, hear } from "../children.js";
import { profileTables, type CpuProfile } from "../cpu-profile.js";
import type { Node } from "../peers.js";
import type { Table } from "../report.js";
import { kinds } from "./load.js";

/** Microseconds between two samples. */
const interval = 100;

export interface ProfileOptions {
  readonly node: Node;
  /** Requests of each operation. */
  readonly count: number;
  /** Absolute path of the folder for the profiles. */
  readonly out: string;
}

/** Profiles the CPU of the generated server under the load of each measured operation. Writes a `.cpuprofile` for each. */
export async function profileServer(folder: string, options: ProfileOptions): Promise<readonly Table[]> {
  await mkdir(options.out, { recursive: true });
  const tables: Table[] = [];
  for (const [kind, title] of Object.entries(kinds)) {
    const profile = await profileOf(kind, folder, options);
    const file = path.join(options.out, `${kind}.cpuprofile`);
    tables.push(...(await profileTables(profile, { title: `${title}, Node ${options.node.version}`, file })));
  }
  return tables;
}

async function profileOf(kind: string, folder: string, { node, count, out }: ProfileOptions): Promise<CpuProfile> {
  const name = `${kind}.cpuprofile`;
  const flags = ["--cpu-prof", `--cpu-prof-interval=${interval}`, `--cpu-prof-dir=${out}`, `--cpu-prof-name=${name}`];
  const clients = new Children(folder, node);
  const hosts = new Children(folder, node, flags);
  try {
    const { child, port } = await hosts.serve("plumbline");
    const fire = clients.start("fire.mjs");
    const reported = hear<{ readonly wrong?: string }>(fire);
    fire.send({ port, kind, count });
    const { wrong } = await reported;
    if (wrong !== undefined) throw new Error(`The server answers ${kind} otherwise:\n${wrong}`);
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
    return JSON.parse(await readFile(path.join(out, name), "utf8")) as CpuProfile;
  } finally {
    clients.end();
    hosts.end();
  }
}
