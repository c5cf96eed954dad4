import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { SourceMap } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Children, hear } from "../children.js";
import type { Node } from "../peers.js";
import { repository } from "../places.js";
import type { Table } from "../report.js";
import { kinds } from "./load.js";

/** The part of the samples, at the start, that the compiler of Node needs. */
const warmUp = 1 / 3;

/** Microseconds between two samples. */
const interval = 100;

/** The number of functions in a table. */
const shownFunctions = 40;

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
    tables.push({
      title: `CPU of ${title}, by function, Node ${options.node.version}`,
      columns: { share: { title: "% of CPU", digits: 1 } },
      rows: await busiestFunctions(profile),
      notes: [
        "a function's own time, without that of what it calls; built-in functions count for their callers",
        `open ${path.relative(repository, path.join(options.out, `${kind}.cpuprofile`))} in the developer tools of a browser`,
      ],
    });
  }
  return tables;
}

/** What `--cpu-prof` writes. */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  /** Ids of the nodes that ran, and the microseconds since the sample before. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  /** From 0. */
  readonly lineNumber: number;
  readonly columnNumber: number;
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

/** The functions with the most time of their own, as rows of a table. Throws for a profile without samples. */
export async function busiestFunctions({ nodes, samples, timeDeltas }: CpuProfile): Promise<Table["rows"]> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame] as const));
  const times = new Map<string, { readonly frame: CallFrame; readonly time: number }>();
  let sum = 0;
  for (let index = Math.floor(samples.length * warmUp); index < samples.length; index += 1) {
    const frame = frames.get(samples[index] ?? 0);
    if (frame === undefined || frame.functionName === "(idle)") continue;
    const key = `${frame.functionName} ${frame.url}:${frame.lineNumber}:${frame.columnNumber}`;
    const delta = timeDeltas[index] ?? 0;
    times.set(key, { frame, time: (times.get(key)?.time ?? 0) + delta });
    sum += delta;
  }
  if (sum === 0) throw new Error("The profile has no samples.");
  const busiest = [...times.values()].toSorted((a, b) => b.time - a.time).slice(0, shownFunctions);
  return Promise.all(
    busiest.map(async ({ frame, time }) => ({ name: await nameOf(frame), cells: { share: (100 * time) / sum } })),
  );
}

/** The name of a function and its position in the sources, such as `find packages/http-runtime/src/routing/routes.ts:41`. */
async function nameOf({ functionName, url, lineNumber, columnNumber }: CallFrame): Promise<string> {
  const name = functionName === "" ? "(anonymous)" : functionName;
  if (!url.startsWith("file:")) return url === "" ? name : `${name} ${url}:${lineNumber + 1}`;
  const file = fileURLToPath(url);
  const map = `${file}.map`;
  if (!existsSync(map)) return `${name} ${shorten(file)}:${lineNumber + 1}`;
  const entry = new SourceMap(JSON.parse(await readFile(map, "utf8"))).findEntry(lineNumber, columnNumber);
  if (!("originalSource" in entry)) return `${name} ${shorten(file)}:${lineNumber + 1}`;
  return `${name} ${shorten(path.resolve(path.dirname(file), entry.originalSource))}:${entry.originalLine + 1}`;
}

function shorten(file: string): string {
  return file.startsWith(repository) ? path.relative(repository, file) : path.basename(file);
}
