import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Benchmark } from "./benchmark.js";
import { ourDescription, withoutBooleanSchemas, writeBundled } from "./descriptions.js";
import { ratioOf, spreadOf } from "./figures.js";
import { heyApi, openapiTypescript, orval, ours } from "./generators.js";
import { measure, type Program, type Usage } from "./measure.js";
import { nodes, peerFile, refusal, type Node } from "./peers.js";
import { evaluateGoal, type Goal, type Row, type Table } from "./report.js";

/** Measures time and memory to generate a package, beside other generators. */
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
          contestOf("our description", { ours: ourDescription, peers: bundled, orval: forOrval }),
          contestOf("GitHub's description", { ours: github, peers: github, orval: github }),
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
  readonly ours: Program;
  readonly types: Program;
  readonly rival: Program;
  /** Which package's engines decide where a program runs; ours runs everywhere. */
  readonly entries: readonly { readonly program: Program; readonly peer?: string }[];
}

interface Files {
  readonly ours: string;
  readonly peers: string;
  readonly orval: string;
}

function contestOf(what: string, files: Files): Contest {
  const [own, types, rival] = [ours(files.ours), openapiTypescript(files.peers), heyApi(files.peers)];
  const entries = [
    { program: own },
    { program: types, peer: "openapi-typescript" },
    { program: rival, peer: "@hey-api/openapi-ts" },
    { program: orval(files.orval), peer: "orval" },
  ];
  return { what, ours: own, types, rival, entries };
}

interface Measured {
  readonly node: Node;
  readonly usages: ReadonlyMap<string, readonly Usage[]>;
}

function tableOf({ what, types, entries }: Contest, { node, usages }: Measured): Table {
  const rows = [...usages].map(([name, runs]): Row => ({
    name,
    cells: {
      wall: spreadOf(runs.map(({ wall }) => wall)),
      cpu: spreadOf(runs.map(({ cpu }) => cpu)),
      memory: spreadOf(runs.map(({ memory }) => memory)),
      times: ratio(usages, { of: name, to: types.name, by: "wall" }),
      memories: ratio(usages, { of: name, to: types.name, by: "memory" }),
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
      "openapi-typescript generates only types, the others types and client, ours a package; each × is against openapi-typescript",
      ...(what.startsWith("our")
        ? [
            "ours reads the files of spec/, the peers one JSON file bundled beforehand; orval one without boolean schemas",
          ]
        : []),
      ...rejected.map((each) => `not run: ${each}`),
    ],
  };
}

function goalsOf({ what, ours: own, types, rival }: Contest, { node, usages }: Measured): readonly Goal[] {
  const on = `${what}, Node ${node.version}`;
  const against = (to: Program, by: "wall" | "memory") => ratio(usages, { of: own.name, to: to.name, by });
  const absolute: readonly Goal[] = what.startsWith("our")
    ? []
    : [
        { what: `time against ${types.name}, ${on}`, figure: against(types, "wall"), limit: 1.25, unit: "×" },
        { what: `peak memory against ${types.name}, ${on}`, figure: against(types, "memory"), limit: 1.8, unit: "×" },
      ];
  const faster = { what: `time against ${rival.name}, ${on}`, limit: 1, unit: "×" };
  return [...absolute, ...(usages.has(rival.name) ? [{ ...faster, figure: against(rival, "wall") }] : [])];
}

function ratio(
  usages: Measured["usages"],
  { of, to, by }: { readonly of: string; readonly to: string; readonly by: keyof Usage },
): number {
  const figures = (name: string) => (usages.get(name) ?? []).map((usage) => usage[by]);
  return ratioOf(figures(of), figures(to));
}
