import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Benchmark } from "./benchmark.js";
import { bundled, compressedSize, sizeOfCalls } from "./client/bundle.js";
import { conductOf, type Conduct } from "./client/conduct.js";
import {
  bare,
  consumersOn,
  generateClients,
  heyApiClient,
  linkPackages,
  plumbline,
  versions,
  type Consumer,
} from "./client/consumers.js";
import { getOperations, type Operation } from "./client/operations.js";
import { instantiationsPerCall } from "./client/types.js";
import { withoutBooleanSchemas, writeBundled } from "./descriptions.js";
import { fastestRatioOf, spreadOf, type Spread } from "./figures.js";
import { nodes, run, type Node } from "./peers.js";
import { evaluateGoal, type Compared, type Table } from "./report.js";

/** What the generated client costs those who call it: their compiler, their bundle, and each call. */
export const client: Benchmark = {
  name: "client",
  about: "what a client costs its users: the compiler's work, bytes of a bundle, time of a call",
  rounds: 100,
  async run({ rounds, say }) {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), "plumbline-bench-")));
    try {
      const [node, ...others] = nodes();
      if (node === undefined) throw new Error("No Node found to run on.");
      const [description, forOrval] = [path.join(folder, "ours.json"), path.join(folder, "orval.json")];
      const value = await writeBundled(description);
      await writeFile(forOrval, JSON.stringify(withoutBooleanSchemas(value)));
      say("generating the clients");
      await linkPackages(folder);
      await generateClients(folder, { node, description, forOrval });
      const consumers = consumersOn(node);
      const operations = getOperations(value, 40);
      say("what they send, and what they make of a failure");
      const conducts = await conductOf(consumers, { node, folder });
      say("type-checking 40 calls");
      const types = await typesTable(consumers, operations, folder);
      say("bundling one operation");
      const sizes = await sizesTable(consumers, { operations, folder, conducts });
      say(`calling, ${rounds} rounds`);
      const speeds: Compared[] = [];
      for (const each of [node, ...others])
        speeds.push(...(await speedTables(consumers, { operations, folder, node: each, rounds })));
      const compared = [types, sizes, ...speeds];
      return {
        benchmark: "client",
        tables: [...compared.map(({ table }) => table), conductTable(conducts)],
        goals: compared.flatMap(({ goals }) => goals).map(evaluateGoal),
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function typesTable(
  consumers: readonly Consumer[],
  operations: readonly Operation[],
  folder: string,
): Promise<Compared> {
  const counts = new Map<Consumer, number>();
  for (const each of consumers) counts.set(each, await instantiationsPerCall(each, operations, folder));
  const [figure, limit] = [counts.get(plumbline) ?? Number.NaN, counts.get(heyApiClient)];
  return {
    table: {
      title: "Type-checking 40 calls of 40 operations of our description, less the same program without calls",
      columns: { count: { title: "instantiations a call", digits: 1 } },
      rows: [...counts].map(([{ name }, count]) => ({ name, cells: { count } })),
      notes: [versions()],
    },
    goals: limit === undefined ? [] : [{ what: "instantiations a call, against hey-api", figure, limit, unit: "" }],
  };
}

async function sizesTable(
  consumers: readonly Consumer[],
  {
    operations,
    folder,
    conducts,
  }: { readonly operations: readonly Operation[]; readonly folder: string; readonly conducts: readonly Conduct[] },
): Promise<Compared> {
  const sizes = new Map<Consumer, number>();
  for (const each of [bare, ...consumers])
    sizes.set(each, await compressedSize(await bundled(each, entryOf(operations), { folder, minify: "minify" })));
  const least = sizes.get(bare) ?? Number.NaN;
  const furthers = new Map<Consumer, number>();
  for (const each of [bare, ...consumers]) {
    const first = await sizeOfCalls(each, operations.slice(0, 1), folder);
    furthers.set(each, ((await sizeOfCalls(each, operations, folder)) - first) / (operations.length - 1));
  }
  return {
    table: {
      title: `One operation, and ${operations.length} operations, bundled with esbuild, minified, gzip -9`,
      columns: {
        size: { title: "bytes of one", digits: 0 },
        above: { title: "above bare fetch", digits: 0 },
        further: { title: "each further", digits: 0 },
      },
      rows: [...sizes].map(([consumer, size]) => ({
        name: consumer.name,
        cells: { size, above: size - least, further: furthers.get(consumer) ?? Number.NaN },
      })),
      notes: conducts.filter(({ mistaken, failure }) => mistaken.length > 0 || failure.endsWith("success")).map(blame),
    },
    goals: [
      { what: "bundle above bare fetch", figure: (sizes.get(plumbline) ?? Number.NaN) - least, limit: 1400, unit: "B" },
      { what: "each further operation", figure: furthers.get(plumbline) ?? Number.NaN, limit: 70, unit: "B" },
    ],
  };
}

/** Adds the missing features of small or fast clients, as observed in this run. */
function blame({ name, mistaken, failure }: Conduct): string {
  const wrong = mistaken.length > 0 ? [`sends ${mistaken.join(", ")} otherwise than described`] : [];
  return [`${name}:`, [...wrong, `a failure is ${failure}`].join("; ")].join(" ");
}

function conductTable(conducts: readonly Conduct[]): Table {
  return {
    title:
      "What arrives of id=a/b?c, tags=[x, y&z], ids=[1, 2] (not exploded), where={min: 3} (deepObject), and what becomes of a 404",
    columns: { mistakes: { title: "mistaken parameters", digits: 0 } },
    rows: conducts.map(({ name, mistaken }) => ({ name, cells: { mistakes: mistaken.length } })),
    notes: conducts.map(({ name, targets, failure }) => `${name}: ${targets.join("  ")}; the failure is ${failure}`),
  };
}

type Times = Readonly<Record<string, readonly number[]>>;

const repliesOf: Readonly<Record<string, string>> = {
  stub: "a stub instead of the response, so that only the client counts",
  response: "a Response, as fetch makes it",
};

async function speedTables(
  consumers: readonly Consumer[],
  {
    operations,
    folder,
    node,
    rounds,
  }: {
    readonly operations: readonly Operation[];
    readonly folder: string;
    readonly node: Node;
    readonly rounds: number;
  },
): Promise<readonly Compared[]> {
  const names = new Map<string, Consumer>();
  const files: string[] = [];
  for (const each of [bare, ...consumers]) {
    const file = await bundled(each, entryOf(operations), { folder, minify: "readable" });
    names.set(path.basename(file), each);
    files.push(file);
  }
  const program = fileURLToPath(new URL("client/speed.js", import.meta.url));
  const said = await run(node.program, [program, String(rounds), ...files], folder);
  const found = JSON.parse(said) as Readonly<Record<string, Times>>;
  return Object.entries(repliesOf).map(([response, what]) => {
    const times = found[response] ?? {};
    const timesOf = (consumer: Consumer): readonly number[] =>
      [...names].flatMap(([file, each]) => (each === consumer ? (times[file] ?? []) : []));
    const rows = [...names.values()].map((each) => ({
      name: each.name,
      cells: { time: spreadOf(timesOf(each)), times: fastestRatioOf(timesOf(each), timesOf(bare)) } satisfies Record<
        string,
        number | Spread
      >,
    }));
    const figure = fastestRatioOf(timesOf(plumbline), timesOf(bare));
    return {
      table: {
        title: `A GET with a mocked fetch, Node ${node.version}: ${what}`,
        columns: { time: { title: "µs", digits: 1 }, times: { title: "× bare fetch", digits: 2 } },
        rows,
        notes: [
          "middle round (fastest–slowest); × compares the fastest rounds, since interruptions only make one slower",
        ],
      },
      goals: [{ what: `a call with a ${response}, Node ${node.version}`, figure, limit: 2, unit: "×" }],
    };
  });
}

/** The first operation with one path parameter, which is a number. */
function entryOf(operations: readonly Operation[]): Parameters<typeof bundled>[1] {
  const operation = operations.find(
    ({ parameters, values }) => parameters.length === 1 && Object.values(values)[0] === "1",
  );
  const [parameter] = operation?.parameters ?? [];
  if (operation === undefined || parameter === undefined) throw new Error("No operation has a number in its path.");
  return { operation, given: { path: { [parameter]: "id" } }, parameters: "id: number", from: "." };
}
