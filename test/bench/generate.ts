import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Benchmark } from "./benchmark.js";
import { withoutBooleanSchemas, writeBundled } from "./descriptions.js";
import { medianOf, ratioOf, spreadOf } from "./figures.js";
import { heyApi, heyApiWithZod, openapiTypescript, orval, oursOnly } from "./generators.js";
import { measure, type Program, type Usage } from "./measure.js";
import { nodes, peerFile, refusal, type Node } from "./peers.js";
import { evaluateGoal, type Goal, type Row, type Table } from "./report.js";

/** Measures time and memory to generate packages, beside other generators. */
export const generate: Benchmark = {
  name: "generate",
  about: "time and memory of generators, on our description and on GitHub's",
  rounds: 5,
  async run({ rounds, say }) {
    const folder = await mkdtemp(path.join(tmpdir(), "plumbline-bench-"));
    try {
      const [bundled, forOrval] = [path.join(folder, "ours.json"), path.join(folder, "orval.json")];
      await writeFile(forOrval, JSON.stringify(withoutBooleanSchemas(await writeBundled(bundled)), undefined, 2));
      const github = peerFile("@octokit/openapi", "generated/api.github.com.json");
      const tables: Table[] = [];
      const goals: Goal[] = [];
      for (const node of nodes()) {
        for (const each of [
          contestOf(
            { ours: bundled, peers: bundled, orval: forOrval },
            { what: "our description", most: { types: 0.7, client: 0.8, [fourPackages]: 1.4 } },
          ),
          contestOf(
            { ours: github, peers: github, orval: github },
            { what: "GitHub's description", most: { client: 0.6, [fourPackages]: 1.2 }, mostMemory: 700 },
          ),
        ]) {
          say(`${each.what}, Node ${node.version}`);
          const running = each.entries.filter(({ peer }) => peer === undefined || refusal(peer, node) === undefined);
          const programs = running.map(({ program }) => program);
          const usages = await measure(programs, { node: node.program, rounds, folder, say });
          tables.push(tableOf(each, { node, usages }));
          goals.push(...goalsOf(each, { node, usages }));
        }
      }
      return { benchmark: "generate", tables, goals: goals.map(evaluateGoal) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** One description and everybody who generates from it. */
interface Contest {
  readonly what: string;
  /** The most that each artifact of ours may take, in times of the `rival`. */
  readonly most: Readonly<Record<string, number>>;
  readonly rival: Program;
  /** The most memory of the last artifact of ours, in MiB. */
  readonly mostMemory?: number;
  /** Which package's engines decide where a program runs; ours runs everywhere. */
  readonly entries: readonly { readonly program: Program; readonly peer?: string }[];
}

interface Files {
  readonly ours: string;
  readonly peers: string;
  readonly orval: string;
}

const fourPackages = "client,validator,server,mock";

function contestOf(files: Files, { what, most, mostMemory }: Omit<Contest, "rival" | "entries">): Contest {
  const rival = openapiTypescript(files.peers);
  const entries = [
    { program: rival, peer: "openapi-typescript" },
    ...Object.keys(most).map((kinds) => ({ program: oursOnly(files.ours, kinds) })),
    { program: heyApi(files.peers), peer: "@hey-api/openapi-ts" },
    { program: heyApiWithZod(files.peers), peer: "@hey-api/openapi-ts" },
    { program: orval(files.orval), peer: "orval" },
  ];
  return { what, most, rival, entries, ...(mostMemory === undefined ? {} : { mostMemory }) };
}

interface Measured {
  readonly node: Node;
  readonly usages: ReadonlyMap<string, readonly Usage[]>;
}

function tableOf({ what, rival, entries }: Contest, { node, usages }: Measured): Table {
  const rows = [...usages].map(([name, runs]): Row => ({
    name,
    cells: {
      wall: spreadOf(runs.map(({ wall }) => wall)),
      cpu: spreadOf(runs.map(({ cpu }) => cpu)),
      memory: spreadOf(runs.map(({ memory }) => memory)),
      times: ratio(usages, { of: name, to: rival.name, by: "wall" }),
      memories: ratio(usages, { of: name, to: rival.name, by: "memory" }),
    },
  }));
  const rejected = entries.flatMap(({ peer }) => (peer === undefined ? [] : (refusal(peer, node) ?? [])));
  return {
    title: `Generating from ${what}, Node ${node.version}: middle one (smallest–largest)`,
    columns: {
      wall: { title: "seconds", digits: 2 },
      cpu: { title: "CPU seconds", digits: 2 },
      memory: { title: "peak MiB", digits: 0 },
      times: { title: "× time", digits: 2 },
      memories: { title: "× memory", digits: 2 },
    },
    rows,
    notes: [
      "openapi-typescript generates only types, the others types and client, ours packages; each × is against openapi-typescript",
      "everybody reads one JSON file; orval one without boolean schemas; ours lints it, too",
      ...rejected.map((each) => `not run: ${each}`),
    ],
  };
}

function goalsOf({ what, most, mostMemory, rival }: Contest, { node, usages }: Measured): readonly Goal[] {
  const on = `${what}, Node ${node.version}`;
  const goals: Goal[] = Object.entries(most).map(([kinds, limit]) => ({
    what: `time of ${kinds} against ${rival.name}, ${on}`,
    figure: ratio(usages, { of: `plumbline ${kinds}`, to: rival.name, by: "wall" }),
    limit,
    unit: "×",
  }));
  if (mostMemory === undefined) return goals;
  const memories = (usages.get(`plumbline ${fourPackages}`) ?? []).map(({ memory }) => memory);
  return [
    ...goals,
    { what: `peak memory of ${fourPackages}, ${on}`, figure: medianOf(memories), limit: mostMemory, unit: "MiB" },
  ];
}

function ratio(
  usages: Measured["usages"],
  { of, to, by }: { readonly of: string; readonly to: string; readonly by: keyof Usage },
): number {
  const figures = (name: string) => (usages.get(name) ?? []).map((usage) => usage[by]);
  return ratioOf(figures(of), figures(to));
}
