import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Node } from "../peers.js";
import type { Compared } from "../report.js";
import { above, pairs, programs, rowsOf } from "./servers.js";

const kinds = {
  create: "a valid create",
  list: "a list with a query",
} as const;

type Kind = keyof typeof kinds;

/** Turns short enough that what else the machine does meets all alike, and long enough that the compiler of Node has done its work. */
const requestsPerTurn = 4000;
const turnsPerRound = 2;

/** The CPU time that a server takes for a request, which what else the machine does disturbs least. */
export async function compareLoads(
  folder: string,
  { node, rounds }: { readonly node: Node; readonly rounds: number },
): Promise<readonly Compared[]> {
  const children: ChildProcess[] = [];
  const start = (...args: readonly [program: string, name?: string]): ChildProcess => {
    const [program, ...others] = args;
    const child = fork(path.join(folder, program), others as string[], {
      cwd: folder,
      execPath: node.program,
      execArgv: [],
    });
    children.push(child);
    return child;
  };
  try {
    const fire = start("fire.mjs");
    const serving = new Map<string, { readonly child: ChildProcess; readonly port: number }>();
    for (const name of programs) {
      const child = start("host.mjs", name);
      serving.set(name, { child, port: (await hear<{ readonly port: number }>(child)).port });
    }
    const turn = async (name: string, kind: Kind, count: number): Promise<number> => {
      const { child, port } = serving.get(name) ?? { child: fire, port: 0 };
      const before = await cpuOf(child);
      const done = hear(fire);
      fire.send({ port, kind, count });
      await done;
      return ((await cpuOf(child)) - before) / count;
    };
    const times = new Map<string, number[]>();
    // The first turns are for the compiler of Node.
    for (let round = -5; round <= rounds * turnsPerRound; round += 1) {
      for (const kind of Object.keys(kinds) as readonly Kind[]) {
        for (const name of programs) {
          const time = await turn(name, kind, requestsPerTurn);
          if (round > 0) times.set(`${kind} ${name}`, [...(times.get(`${kind} ${name}`) ?? []), time]);
        }
      }
    }
    return (Object.keys(kinds) as readonly Kind[]).map((kind) =>
      comparedOf(kind, node, (name) => times.get(`${kind} ${name}`) ?? []),
    );
  } finally {
    for (const child of children) child.disconnect();
  }
}

async function cpuOf(child: ChildProcess): Promise<number> {
  const told = hear<{ readonly cpu: number }>(child);
  child.send("cpu");
  return (await told).cpu;
}

/** The next message. Throws when the process ends instead. */
async function hear<Message>(child: ChildProcess): Promise<Message> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([message]) => message as Message),
      once(child, "exit", { signal }).then(() => {
        throw new Error(`${child.spawnargs.join(" ")} ended with ${child.exitCode}.`);
      }),
    ]);
  } finally {
    settled.abort();
  }
}

function comparedOf(kind: Kind, node: Node, timesOf: (name: string) => readonly number[]): Compared {
  return {
    table: {
      title: `CPU of the server for ${kinds[kind]}, Node ${node.version}`,
      columns: {
        time: { title: "µs a request", digits: 1 },
        above: { title: "added", digits: 1 },
        least: { title: "added, fastest turns", digits: 1 },
      },
      rows: rowsOf(timesOf),
      notes: [
        "middle turn (smallest–largest); added is the middle one of the differences within a round of turns",
        "bare servers parse the body as each framework's users do, and no query; handlers look at neither",
      ],
    },
    goals: pairs
      .filter(({ who }) => who === "plumbline")
      .map(({ host, program, bare }) => ({
        what: `CPU added to ${kinds[kind]}, ${host}, Node ${node.version}`,
        figure: above(timesOf(program), timesOf(bare)),
        limit: 4,
        unit: "µs",
      })),
  };
}
