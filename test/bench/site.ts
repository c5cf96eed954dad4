import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Benchmark } from "./benchmark.js";
import { writeBundled } from "./descriptions.js";
import { medianOf, spreadOf } from "./figures.js";
import { plumblineSite, redoclyPage } from "./generators.js";
import { measure, runOnce, type Program, type Usage } from "./measure.js";
import { nodes, peerFile, type Node } from "./peers.js";
import { evaluateGoal, type Compared, type Goal, type Row } from "./report.js";

/** Measures reference sites: what it takes to build them, and what a reader downloads; beside Redocly's page. */
export const site: Benchmark = {
  name: "site",
  about:
    "reference sites of our description and of GitHub's: seconds, and bytes of a page; beside Redocly's build-docs",
  rounds: 3,
  async run({ rounds, say }) {
    const [node] = nodes();
    if (node === undefined) throw new Error("No Node found to run on.");
    const folder = await mkdtemp(path.join(tmpdir(), "plumbline-site-"));
    try {
      const ours = path.join(folder, "openapi.json");
      await writeBundled(ours);
      const conditions = { node, rounds, folder: path.join(folder, "runs"), say };
      const compared = [
        await compare({ name: "our description, bundled", file: ours, maxPage: 100 }, conditions),
        await compare({ name: "GitHub's description", file: github(), maxPage: 200, maxSeconds: 20 }, conditions),
      ];
      const goals = compared.flatMap((each) => each.goals);
      return { benchmark: "site", tables: compared.map(({ table }) => table), goals: goals.map(evaluateGoal) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const github = (): string => peerFile("@octokit/openapi", "generated/api.github.com.json");

interface Documented {
  readonly name: string;
  readonly file: string;
  /** The goal for the largest page, in kB after compression. */
  readonly maxPage: number;
  /** The goal for the time. */
  readonly maxSeconds?: number;
}

interface SiteConditions {
  readonly node: Node;
  readonly rounds: number;
  readonly folder: string;
  readonly say: (text: string) => void;
}

/** The scripts that pages load without a click. */
const sharedScripts = /assets\/(?!mock)[^/]+\.js$/;

async function compare(
  { name, file, maxPage, maxSeconds }: Documented,
  { node, rounds, folder, say }: SiteConditions,
): Promise<Compared> {
  const programs = [plumblineSite(file), redoclyPage(file)];
  const usages = await measure(programs, { node: node.program, rounds, folder, say });
  const rows: Row[] = [];
  const weights = new Map<string, Weights>();
  for (const program of programs) {
    const weight = await weigh(program, node, folder);
    weights.set(program.name, weight);
    rows.push({ name: program.name, cells: { ...figuresOf(usages.get(program.name) ?? []), ...weight } });
  }
  const [ours] = programs;
  const own = weights.get(ours?.name ?? "");
  const goals: Goal[] = [
    { what: `largest page of ${name}`, figure: own?.page ?? NaN, limit: maxPage, unit: "kB" },
    { what: `shared scripts of ${name}`, figure: own?.scripts ?? NaN, limit: 150, unit: "kB" },
  ];
  const seconds = medianOf((usages.get(ours?.name ?? "") ?? []).map(({ wall }) => wall));
  if (maxSeconds !== undefined) goals.push({ what: `time for ${name}`, figure: seconds, limit: maxSeconds, unit: "s" });
  return {
    table: {
      title: `Reference of ${name}, Node ${node.version}`,
      columns: {
        wall: { title: "seconds", digits: 1 },
        cpu: { title: "CPU seconds", digits: 1 },
        memory: { title: "peak MiB", digits: 0 },
        pages: { title: "pages", digits: 0 },
        page: { title: "largest page, kB", digits: 1 },
        scripts: { title: "shared scripts, kB", digits: 1 },
        all: { title: "all files, kB", digits: 0 },
      },
      rows,
      notes: [
        "bytes are after gzip, each file by itself; Redocly's page contains its script and the whole description",
      ],
    },
    goals,
  };
}

function figuresOf(usages: readonly Usage[]): Row["cells"] {
  return {
    wall: spreadOf(usages.map(({ wall }) => wall)),
    cpu: spreadOf(usages.map(({ cpu }) => cpu)),
    memory: spreadOf(usages.map(({ memory }) => memory)),
  };
}

/** Numbers of kB after compression, and of pages. */
interface Weights extends Readonly<Record<"pages" | "page" | "scripts" | "all", number>> {}

async function weigh(program: Program, node: Node, folder: string): Promise<Weights> {
  await runOnce(program, node.program, folder);
  const out = path.join(folder, "out");
  const sizes = new Map<string, number>();
  for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    sizes.set(file.split(path.sep).join("/"), gzipSync(await readFile(file)).length / 1000);
  }
  const of = (names: RegExp): readonly number[] =>
    [...sizes].filter(([name]) => names.test(name)).map(([, kilobytes]) => kilobytes);
  const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);
  const pages = of(/\.html$/);
  return { pages: pages.length, page: Math.max(...pages), scripts: sum(of(sharedScripts)), all: sum(of(/./)) };
}
