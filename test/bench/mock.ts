import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Benchmark } from "./benchmark.js";
import { medianOf, ratioOf, spreadOf } from "./figures.js";
import { mockedDescriptions, type MockedDescription } from "./mock/descriptions.js";
import { measureRate } from "./mock/load.js";
import { endMock, type MockName, mocks, residentMebibytes, startMock } from "./mock/mocks.js";
import { manifestOf, type Node, nodes } from "./peers.js";
import { evaluateGoal, type Compared } from "./report.js";

/** How many times each mock starts. */
const starts = 3;
/** Requests of a turn. Prism answers some hundreds a second. */
const requestsPerTurn = { plumbline: 2000, prism: 200 } as const;

/** What a mock costs: its start, each request, and memory; beside Prism. */
export const mock: Benchmark = {
  name: "mock",
  about: "what a mock costs: time to the first response, requests/s, memory; beside Prism",
  rounds: 5,
  async run({ rounds, say }) {
    const [node] = nodes();
    if (node === undefined) throw new Error("No Node found to run on.");
    const folder = await mkdtemp(path.join(tmpdir(), "plumbline-mock-"));
    try {
      const compared: Compared[] = [];
      for (const description of await mockedDescriptions(folder)) {
        say(`mocking ${description.name}, ${rounds} rounds, Node ${node.version}`);
        compared.push(await compareMocks(description, { node, rounds }));
      }
      const goals = compared.flatMap((each) => each.goals);
      return { benchmark: "mock", tables: compared.map(({ table }) => table), goals: goals.map(evaluateGoal) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface MockFigures {
  /** Seconds, a start after the other. */
  readonly ready: number[];
  /** Requests a second, a turn after the other. */
  readonly get: number[];
  readonly post: number[];
  /** MiB after all turns. */
  memory: number;
}

/** Measures both mocks of a description, in turns. */
export async function compareMocks(
  description: MockedDescription,
  { node, rounds }: { readonly node: Node; readonly rounds: number },
): Promise<Compared> {
  const names = Object.keys(mocks) as readonly MockName[];
  const figures: Readonly<Record<MockName, MockFigures>> = {
    plumbline: { ready: [], get: [], post: [], memory: 0 },
    prism: { ready: [], get: [], post: [], memory: 0 },
  };
  for (let start = 0; start < starts; start += 1)
    for (const name of names) {
      const started = await startMock(name, description, node);
      figures[name].ready.push(started.seconds);
      await endMock(started);
    }
  const running = new Map<MockName, Awaited<ReturnType<typeof startMock>>>();
  try {
    for (const name of names) running.set(name, await startMock(name, description, node));
    // One turn of each is for the compiler of Node.
    for (let round = 0; round <= rounds; round += 1)
      for (const kind of ["get", "post"] as const)
        for (const [name, { url }] of running) {
          const rate = await measureRate(url, description[kind], requestsPerTurn[name]);
          if (round > 0) figures[name][kind].push(rate);
        }
    for (const [name, started] of running) figures[name].memory = residentMebibytes(started);
  } finally {
    for (const started of running.values()) await endMock(started);
  }
  return comparedOf(description, figures, node);
}

function comparedOf(
  { name: title, get, post }: MockedDescription,
  figures: Readonly<Record<MockName, MockFigures>>,
  node: Node,
): Compared {
  const { plumbline, prism } = figures;
  const names = Object.keys(mocks) as readonly MockName[];
  const { version } = manifestOf("@stoplight/prism-cli");
  return {
    table: {
      title: `Mocking ${title}, Node ${node.version}`,
      columns: {
        ready: { title: "seconds to the first response", digits: 2 },
        get: { title: "GET requests/s", digits: 0 },
        post: { title: "POST requests/s", digits: 0 },
        memory: { title: "MiB resident", digits: 0 },
      },
      rows: names.map((name) => ({
        name: mocks[name],
        cells: {
          ready: spreadOf(figures[name].ready),
          get: spreadOf(figures[name].get),
          post: spreadOf(figures[name].post),
          memory: figures[name].memory,
        },
      })),
      notes: [
        `middle round (smallest–largest), 16 connections; GET ${get.path}, POST ${post.path}; Prism ${version}`,
        "ours keeps what each POST creates; Prism responds with examples",
      ],
    },
    goals: [
      {
        what: `${title}, time to the first response against Prism`,
        figure: medianOf(plumbline.ready) / medianOf(prism.ready),
        limit: 1 / 5,
        unit: "×",
      },
      ...(["get", "post"] as const).map((kind) => ({
        what: `${title}, requests/s of Prism for one of ours, ${kind.toUpperCase()}`,
        figure: ratioOf(prism[kind], plumbline[kind]),
        limit: 1 / 10,
        unit: "×",
      })),
    ],
  };
}
