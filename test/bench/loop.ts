import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import type { Benchmark } from "./benchmark.js";
import { profileTables, type CpuProfile } from "./cpu-profile.js";
import { medianOf, spreadOf } from "./figures.js";
import { nodes, peerFile, type Node } from "./peers.js";
import { repository } from "./places.js";
import { evaluateGoal, type Compared, type Table } from "./report.js";

const plumbline = path.join(repository, "packages", "plumbline", "bin", "plumbline.js");

/** Measures the waiting times of a description's owner: a saved file, a second run, a comparison. */
export const loop: Benchmark = {
  name: "loop",
  about: "from a saved file to all outputs, generation without changes, and GitHub's description compared with itself",
  rounds: 15,
  async run({ rounds, say }) {
    const compared: Compared[] = [];
    for (const node of nodes()) compared.push(await measureLoop(node, { rounds, say }));
    const goals = compared.flatMap((each) => each.goals);
    return { benchmark: "loop", tables: compared.map(({ table }) => table), goals: goals.map(evaluateGoal) };
  },
  async profile({ rounds, say }) {
    const [node] = nodes();
    if (node === undefined) throw new Error("No Node found to run on.");
    say(`saving our description ${rounds} times, Node ${node.version}`);
    const out = path.join(repository, "test", "reports", "profiles", "saves");
    await rm(out, { recursive: true, force: true });
    await savesOf(node, ours, rounds, ["--cpu-prof", `--cpu-prof-dir=${out}`]);
    const tables: Table[] = [];
    // The threads, in the order in which they began: the first generates, the second lints.
    for (const [index, name] of (await readdir(out)).toSorted(byThread).entries()) {
      const file = path.join(out, name);
      const profile = JSON.parse(await readFile(file, "utf8")) as CpuProfile;
      const title = `saves, thread ${index + 1}, Node ${node.version}`;
      tables.push(...(await profileTables(profile, { title, file })));
    }
    return { benchmark: "loop", tables, goals: [] };
  },
};

/** By the number of the thread, which the names of profiles have as their last but one: `CPU.20261127.201430.27482.1.002.cpuprofile`. */
function byThread(a: string, b: string): number {
  const threadOf = (name: string): number => Number(name.split(".").at(-3));
  return threadOf(a) - threadOf(b);
}

const ours: Edited = {
  spec: "spec/plumbline.yaml",
  files: path.join(repository, "spec"),
  options: [],
  file: "instances/schemas.yaml",
  // The length of a root password: requests have it.
  edit: (text, round) =>
    text.replace(/minLength: 7\n +maxLength: \d+/, (bounds) => bounds.replace(/\d+$/, String(130 + round))),
};

export interface Edited {
  /** What is generated from, with the folder that it is copied from. */
  readonly spec: string;
  readonly files: string;
  readonly options: readonly string[];
  /** The edited file, and the text that each edit adds. */
  readonly file: string;
  readonly edit: (text: string, round: number) => string;
}

async function measureLoop(
  node: Node,
  { rounds, say }: { readonly rounds: number; readonly say: (text: string) => void },
): Promise<Compared> {
  const label = `Node ${node.version}`;
  const github = peerFile("@octokit/openapi", "generated/api.github.com.json");
  const texts: Edited = {
    ...ours,
    file: "instances/paths.yaml",
    edit: (text, round) => text.replace("summary: ", `summary: Edited ${round}, `),
  };
  const theirs: Edited = {
    spec: "spec/api.github.com.json",
    files: github,
    options: ["--spec", "spec/api.github.com.json", "--out", "generated"],
    file: "api.github.com.json",
    edit: (text, round) => text.replace(/"summary": ?"[^"]*"/, `"summary":"Edited ${round}"`),
  };
  say(`saving our description ${2 * rounds} times, ${label}`);
  const saved = await savesOf(node, ours, rounds);
  const textsSaved = await savesOf(node, texts, rounds);
  say(`saving GitHub's description ${Math.ceil(rounds / 3)} times, ${label}`);
  const githubs = await savesOf(node, theirs, Math.ceil(rounds / 3));
  say(`generating twice, and comparing, ${label}`);
  const { first, again } = await twice(node, ours, Math.ceil(rounds / 5));
  const same = await repeated(Math.ceil(rounds / 3), () => run(node, ["diff", github, github], repository));
  const row = (name: string, seconds: readonly number[]) => ({ name, cells: { seconds: spreadOf(seconds) } });
  return {
    table: {
      title: `The owner's loop, ${label}`,
      columns: { seconds: { title: "seconds", digits: 2 } },
      rows: [
        row("from a saved file until all but the suite is written, our description", saved.first),
        row("until all is written", saved.all),
        row("the same for a text of an operation", textsSaved.first),
        row("until all is written, a text of an operation", textsSaved.all),
        row("from a saved file until all but the suite is written, GitHub's description", githubs.first),
        row("until all is written, GitHub's description", githubs.all),
        row("generate for the first time, our description", first),
        row("generate when nothing has changed", again),
        row("diff of GitHub's description with itself", same),
      ],
      notes: ["middle round (fastest–slowest); the first six in a process that watches, the others with its start"],
    },
    goals: [
      { what: `a saved file, our description, ${label}`, figure: medianOf(saved.all), limit: 0.3, unit: "s" },
      { what: `a saved file, GitHub's description, ${label}`, figure: medianOf(githubs.all), limit: 1, unit: "s" },
      {
        what: `nothing has changed / the first time, ${label}`,
        figure: medianOf(again) / medianOf(first),
        limit: 0.25,
        unit: "",
      },
      { what: `diff of GitHub's description with itself, ${label}`, figure: medianOf(same), limit: 2, unit: "s" },
    ],
  };
}

export interface Saves {
  /** Seconds until the fast packages are written. */
  readonly first: readonly number[];
  readonly all: readonly number[];
}

/** Seconds from each save until the watching process reports its outputs; the first saves warm it up. */
export async function savesOf(
  node: Node,
  edited: Edited,
  rounds: number,
  flags: readonly string[] = [],
): Promise<Saves> {
  return inCopy(edited, async (folder) => {
    const child = spawn(node.program, [...flags, plumbline, "generate", "--watch", "--json", ...edited.options], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      let hasWritten = false;
      const reported = async (): Promise<readonly string[]> => {
        const { value } = await lines.next();
        const event = JSON.parse(String(value)) as Partial<Readonly<Record<"event" | "written" | "pending", unknown>>>;
        const { event: what, written, pending } = event;
        if (what !== "generated" || !Array.isArray(written) || !Array.isArray(pending))
          throw new Error(String(value).slice(0, 2000));
        hasWritten ||= written.length > 0;
        return pending.map(String);
      };
      const allTold = async (): Promise<void> => {
        while ((await reported()).length > 0);
      };
      await allTold();
      const file = path.join(folder, "spec", edited.file);
      const text = await readFile(file, "utf8");
      const first: number[] = [];
      const all: number[] = [];
      for (let round = 0; round < warming + rounds; round += 1) {
        const next = edited.edit(text, round);
        const started = performance.now();
        const since = (): number => (performance.now() - started) / 1000;
        hasWritten = false;
        await writeFile(file, next);
        const pending = await reported();
        const soon = since();
        if (pending.length > 0) await allTold();
        if (!hasWritten) throw new Error(`Saving ${edited.file} wrote no file.`);
        if (round >= warming) {
          first.push(soon);
          all.push(since());
        }
      }
      return { first, all };
    } finally {
      // Unlike SIGTERM, it lets the process write its profiles.
      child.kill("SIGINT");
      await once(child, "exit");
    }
  });
}

const warming = 3;

/** Seconds of a run with an empty cache, and of the same run after it. */
async function twice(
  node: Node,
  edited: Edited,
  rounds: number,
): Promise<{ readonly first: readonly number[]; readonly again: readonly number[] }> {
  const first: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await inCopy(edited, async (folder) => {
      await cp(path.join(repository, "package.json"), path.join(folder, "node_modules", "package.json"));
      first.push(await run(node, ["generate", ...edited.options], folder));
      again.push(await run(node, ["generate", ...edited.options], folder));
    });
  }
  return { first, again };
}

async function repeated(rounds: number, work: () => Promise<number>): Promise<readonly number[]> {
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) seconds.push(await work());
  return seconds;
}

async function run(node: Node, args: readonly string[], folder: string): Promise<number> {
  const started = performance.now();
  const child = spawn(node.program, [plumbline, ...args], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`plumbline ${args.join(" ")} ended with ${code}`);
  return (performance.now() - started) / 1000;
}

async function inCopy<T>({ files, file }: Edited, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-loop-"));
  try {
    const isFile = path.basename(files) === file;
    await cp(files, isFile ? path.join(folder, "spec", file) : path.join(folder, "spec"), { recursive: true });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
