import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { SourceMap } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { repository } from "./places.js";
import type { Table } from "./report.js";

/** The part of the samples, at the start, that the compiler of Node needs. */
const warmUp = 1 / 3;

/** The number of functions in a table. */
const shownFunctions = 40;

/** What `--cpu-prof` writes. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    readonly children?: readonly number[];
  }[];
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

/** Tables of a profile: its parts, and its busiest functions. Throws for a profile without samples. */
export async function profileTables(profile: CpuProfile, { title, file }: ProfileTitle): Promise<readonly Table[]> {
  const columns = { share: { title: "% of CPU", digits: 1 } };
  return [
    {
      title: `CPU of ${title}, by part`,
      columns,
      rows: busiestParts(profile),
      notes: ["built-in functions count for the parts that call them, except writes to sockets"],
    },
    {
      title: `CPU of ${title}, by function`,
      columns,
      rows: await busiestFunctions(profile),
      notes: [
        "a function's own time, without that of what it calls; built-in functions count for their callers",
        `open ${path.relative(repository, file)} in the developer tools of a browser`,
      ],
    },
  ];
}

interface ProfileTitle {
  /** What ran, such as `getInstance, Node 24.21.0`. */
  readonly title: string;
  /** Absolute path of the profile. */
  readonly file: string;
}

/** The shares of Node, the garbage collector, and each package. */
export function busiestParts(profile: CpuProfile): Table["rows"] {
  const { nodes } = profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame] as const));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const partAt = (id: number): string => {
    const own = ownPartOf(frames.get(id));
    if (own !== undefined) return own;
    const parent = parents.get(id);
    return parent === undefined ? "other" : partAt(parent);
  };
  const times = timesBy(profile, partAt);
  const sum = totalOf(times);
  return [...times]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, time]) => ({ name, cells: { share: (100 * time) / sum } }));
}

/** Undefined for built-in functions, which belong to their callers. */
function ownPartOf(frame: CallFrame | undefined): string | undefined {
  const { functionName = "", url = "" } = frame ?? {};
  if (functionName === "(garbage collector)") return "garbage collector";
  if (functionName === "(program)") return "Node, outside JavaScript";
  if (url === "") return functionName.startsWith("write") ? "writes to sockets and files" : undefined;
  if (url.startsWith("node:")) return "Node";
  if (!url.startsWith("file:")) return "other";
  const file = path.relative(repository, fileURLToPath(url)).replaceAll(path.sep, "/");
  const installed = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
  return installed ?? /^(?:packages\/[^/]+|generators)/.exec(file)?.[0] ?? "the program of the benchmark";
}

/** Microseconds of the samples after the warm-up, by a name of their nodes. */
function timesBy(
  { nodes, samples, timeDeltas }: CpuProfile,
  nameAt: (id: number) => string,
): ReadonlyMap<string, number> {
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
  const times = new Map<string, number>();
  for (let index = Math.floor(samples.length * warmUp); index < samples.length; index += 1) {
    const id = samples[index] ?? 0;
    if (idle.has(id)) continue;
    const name = nameAt(id);
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return times;
}

function totalOf(times: ReadonlyMap<string, number>): number {
  const sum = [...times.values()].reduce((all, time) => all + time, 0);
  if (sum === 0) throw new Error("The profile has no samples.");
  return sum;
}

/** The functions with the most time of their own, as rows of a table. Throws for a profile without samples. */
export async function busiestFunctions(profile: CpuProfile): Promise<Table["rows"]> {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame] as const));
  const known = new Map<string, CallFrame>();
  const times = timesBy(profile, (id) => {
    const frame = frames.get(id) ?? rootFrame;
    const key = `${frame.functionName} ${frame.url}:${frame.lineNumber}:${frame.columnNumber}`;
    known.set(key, frame);
    return key;
  });
  const sum = totalOf(times);
  const busiest = [...times].toSorted(([, a], [, b]) => b - a).slice(0, shownFunctions);
  return Promise.all(
    busiest.map(async ([key, time]) => ({
      name: await nameOf(known.get(key) ?? rootFrame),
      cells: { share: (100 * time) / sum },
    })),
  );
}

const rootFrame: CallFrame = { functionName: "(root)", url: "", lineNumber: -1, columnNumber: -1 };

/** The name of a function and its position in the sources, such as `find packages/server-runtime/src/http/routing/routes.ts:41`. */
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
