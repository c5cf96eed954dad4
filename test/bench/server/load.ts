import path from "node:path";
import { Children, cpuOf, hear, type Served } from "../children.js";
import { ratioOf, spreadOf } from "../figures.js";
import { manifestOf, type Node } from "../peers.js";
import type { Compared, Goal } from "../report.js";

/** Who serves, by the ends of the names of their programs. */
export const servers = {
  bare: "node:http, bytes that are ready",
  writing: "node:http, rows written as JSON",
  fastify: "fastify, its schemas and hooks",
  plumbline: "plumbline, node:http",
} as const;

type ServerName = keyof typeof servers;

/** The measured operations, with their titles. */
export const kinds = {
  createInstance: "createInstance",
  getInstance: "getInstance",
  listInstances: "listInstances, 25 of 40",
} as const;

type Kind = keyof typeof kinds;

/** Of one server and operation, a turn after the other. */
interface Turns {
  /** Microseconds for a request, 16 at once. */
  readonly wall: number[];
  /** Microseconds of the server's CPU for a request. */
  readonly cpu: number[];
}

export interface LoadOptions {
  readonly node: Node;
  readonly rounds: number;
  /** Requests of a turn. */
  readonly count: number;
  /** Turns that are not counted: they are for the compiler of Node. */
  readonly warmUp: number;
}

/** Measures requests per second, and the CPU time of each. Throws for an unexpected response. */
export async function compareServers(folder: string, options: LoadOptions): Promise<readonly Compared[]> {
  const { node, rounds, count, warmUp } = options;
  const children = new Children(folder, node);
  try {
    const fire = children.start("fire.mjs");
    const serving = new Map<ServerName, Served>();
    for (const name of keysOf(servers)) serving.set(name, await children.serve(name));
    const turns = new Map<string, Turns>();
    for (let round = 1 - warmUp; round <= rounds; round += 1) {
      for (const kind of keysOf(kinds)) {
        for (const [name, served] of serving) {
          const before = await cpuOf(served);
          const reported = hear<Measurement>(fire);
          fire.send({ port: served.port, kind, count });
          const { milliseconds, wrong } = await reported;
          if (milliseconds === undefined) throw new Error(`${servers[name]} answers ${kind} otherwise:\n${wrong}`);
          const cpu = ((await cpuOf(served)) - before) / count;
          if (round < 1) continue;
          const taken = turns.get(`${kind} ${name}`) ?? { wall: [], cpu: [] };
          turns.set(`${kind} ${name}`, taken);
          taken.wall.push((milliseconds * 1000) / count);
          taken.cpu.push(cpu);
        }
      }
    }
    const { version } = manifestOf("fastify", path.join(folder, "node_modules"));
    return keysOf(kinds).map((kind) =>
      comparedOf(kind, { node, fastify: version }, (name) => turns.get(`${kind} ${name}`) ?? { wall: [], cpu: [] }),
    );
  } finally {
    children.end();
  }
}

interface Measurement {
  readonly milliseconds?: number;
  readonly wrong?: string;
}

interface Versions {
  readonly node: Node;
  readonly fastify: string;
}

function comparedOf(kind: Kind, { node, fastify }: Versions, turnsOf: (name: ServerName) => Turns): Compared {
  const against = (figure: keyof Turns, name: ServerName) =>
    ratioOf(turnsOf("plumbline")[figure], turnsOf(name)[figure]);
  const goals: readonly Goal[] = [
    { what: `${kind}, requests/s of bare node:http for one of ours`, figure: against("wall", "bare"), limit: 1 / 0.6 },
    { what: `${kind}, requests/s of fastify for one of ours`, figure: against("wall", "fastify"), limit: 1 / 1.3 },
  ].map((goal) => ({ ...goal, what: `${goal.what}, Node ${node.version}`, unit: "×" }));
  return {
    table: {
      title: `Serving ${kinds[kind]}, Node ${node.version}`,
      columns: {
        rate: { title: "requests/s", digits: 0 },
        cpu: { title: "µs of CPU", digits: 1 },
        times: { title: "our requests/s ÷ theirs", digits: 2 },
        ofCpu: { title: "our CPU ÷ theirs", digits: 2 },
      },
      rows: keysOf(servers).map((name) => ({
        name: servers[name],
        cells: {
          rate: spreadOf(turnsOf(name).wall.map((time) => 1e6 / time)),
          cpu: spreadOf(turnsOf(name).cpu),
          times: 1 / against("wall", name),
          ofCpu: against("cpu", name),
        },
      })),
      notes: [
        "middle round (smallest–largest); ÷ is the middle one of the ratios within a round; 16 connections, NODE_ENV=production, rows in memory",
        "ours trusts its responses, as servers in production do; all limits are counted, and none is reached",
        `a restricted user asks; fastify ${fastify} by hand checks the same, and counts in windows that do not move`,
      ],
    },
    goals,
  };
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(record) as Key[];
}
