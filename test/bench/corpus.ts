import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Benchmark } from "./benchmark.js";
import { compileErrors } from "./compile-errors.js";
import { type LocalDescription, publishedDescriptions } from "./corpus-descriptions.js";
import { heyApiWithZod, openapiTypescript, oursWithAll } from "./generators.js";
import { type Program, runOnce, type Usage } from "./measure.js";
import { nodes } from "./peers.js";
import { evaluateGoal, type Goal, type Row } from "./report.js";
import { standIn } from "./stand-in.js";

const standInName = "a provider of models";

/** Generates every artifact of descriptions that others publish, compiles them, and compares the time with what others need. */
export const corpus: Benchmark = {
  name: "corpus",
  about: "descriptions that others publish: whether they generate and compile, and what it takes",
  rounds: 1,
  async run({ rounds, say }) {
    const folder = await mkdtemp(path.join(tmpdir(), "plumbline-corpus-"));
    try {
      const provider = { name: standInName, file: path.join(folder, "provider.json"), isRejected: false };
      await writeFile(provider.file, JSON.stringify(standIn()));
      const attempts: Attempts[] = [];
      for (const description of [provider, ...(await publishedDescriptions(say))]) {
        const attempt = await attemptsOf(description, { folder, rounds });
        say(
          `${description.name}: ${attempt.ours === undefined ? "not generated" : `${attempt.ours.cpu.toFixed(1)} s`}`,
        );
        attempts.push(attempt);
      }
      return {
        benchmark: "corpus",
        tables: [
          {
            title: "Descriptions that others publish: all four artifacts of ours, and what others make",
            columns: {
              cpu: { title: "CPU seconds", digits: 1 },
              memory: { title: "peak MiB", digits: 0 },
              errors: { title: "compile errors", digits: 0 },
              zod: { title: "hey-api CPU seconds", digits: 1 },
              types: { title: "openapi-typescript CPU seconds", digits: 1 },
            },
            rows: attempts.map(rowOf),
            notes: [
              "the client, the validator, the server and the suite are compiled together, under the settings of the generated client",
              "hey-api makes types, a client and zod schemas; openapi-typescript types; an empty cell is a description that it rejects",
            ],
          },
        ],
        goals: goalsOf(attempts).map(evaluateGoal),
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** What became of one description. Without a usage, the generator rejected it. */
interface Attempts {
  readonly name: string;
  /** True if it has to be rejected. */
  readonly isRejected: boolean;
  readonly ours: Usage | undefined;
  /** Errors of TypeScript in all four packages. */
  readonly errors: number;
  readonly zod: Usage | undefined;
  readonly types: Usage | undefined;
}

async function attemptsOf(
  { name, file, isRejected }: LocalDescription,
  { folder, rounds }: { readonly folder: string; readonly rounds: number },
): Promise<Attempts> {
  const [node] = nodes();
  const least = async (program: Program): Promise<Usage | undefined> => {
    const usages: Usage[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const usage = await runOnce(program, node?.program ?? process.execPath, folder).catch(() => undefined);
      if (usage === undefined) return undefined;
      usages.push(usage);
    }
    return usages.toSorted((one, another) => one.cpu - another.cpu)[0];
  };
  const [zod, types] = [await least(heyApiWithZod(file)), await least(openapiTypescript(file))];
  const ours = await least(oursWithAll(file));
  const errors = ours === undefined ? 0 : (await compileErrors(path.join(folder, "out"))).length;
  return { name, isRejected, ours, errors, zod, types };
}

function rowOf({ name, ours, errors, zod, types }: Attempts): Row {
  return {
    name,
    cells: {
      ...(ours === undefined ? {} : { cpu: ours.cpu, memory: ours.memory, errors }),
      ...(zod === undefined ? {} : { zod: zod.cpu }),
      ...(types === undefined ? {} : { types: types.cpu }),
    },
  };
}

function goalsOf(attempts: readonly Attempts[]): readonly Goal[] {
  const provider = attempts.find(({ name }) => name === standInName)?.ours;
  const sum = (figure: (attempt: Attempts) => number): number =>
    attempts.reduce((total, attempt) => total + figure(attempt), 0);
  return [
    {
      what: "descriptions that are wrongly rejected",
      figure: sum(({ ours, isRejected }) => (ours || isRejected ? 0 : 1)),
      limit: 0,
      unit: "",
    },
    { what: "compile errors", figure: sum(({ errors }) => errors), limit: 0, unit: "" },
    { what: `time for ${standInName}`, figure: provider?.cpu ?? NaN, limit: 20, unit: "CPU s" },
    { what: `memory for ${standInName}`, figure: provider?.memory ?? NaN, limit: 800, unit: "MiB" },
  ];
}
