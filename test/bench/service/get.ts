import path from "node:path";
import { Children } from "../children.js";
import { ratioOf, spreadOf } from "../figures.js";
import { manifestOf, type Node } from "../peers.js";
import type { Compared } from "../report.js";
import { fireAt, type Taken } from "./fire.js";
import { stores } from "./place.js";

export interface GetOptions {
  readonly node: Node;
  readonly rounds: number;
  /** Requests of a turn. */
  readonly count: number;
  /** Turns that are not counted: they are for the compiler of Node. */
  readonly warmUp: number;
  /** Instances that are stored. */
  readonly stored: number;
}

/** One instance out of many, beside Fastify by hand on a copy of the database. */
export async function compareGets(folder: string, options: GetOptions): Promise<Compared> {
  const { node, rounds, warmUp, count, stored } = options;
  const children = new Children(folder, node);
  try {
    const fire = children.start("fire.mjs");
    const served = {
      fastify: await children.serve("fastify", stores.peer),
      service: await children.serve("service", stores.large),
    };
    const taken = { fastify: [] as Taken[], service: [] as Taken[] };
    for (let round = 1 - warmUp; round <= rounds; round += 1)
      for (const name of ["fastify", "service"] as const) {
        const shots = { kind: "getInstance", first: round * count, count, connections: 16, stored };
        const one = await fireAt(served[name], fire, { ...shots, first: (round + warmUp) * count });
        if (round >= 1) taken[name].push(one);
      }
    const of = (name: keyof typeof taken, figure: keyof Taken) => taken[name].map((each) => each[figure]);
    const { version } = manifestOf("fastify", path.join(folder, "node_modules"));
    const names = { fastify: `fastify ${version}, one SELECT, no checks`, service: "the service" } as const;
    return {
      table: {
        title: `One instance of ${stored}, Node ${node.version}`,
        columns: {
          rate: { title: "requests/s", digits: 0 },
          cpu: { title: "µs of CPU", digits: 1 },
          times: { title: "our requests/s ÷ theirs", digits: 2 },
          ofCpu: { title: "our CPU ÷ theirs", digits: 2 },
        },
        rows: (["fastify", "service"] as const).map((name) => ({
          name: names[name],
          cells: {
            rate: spreadOf(of(name, "wall").map((time) => 1e6 / time)),
            cpu: spreadOf(of(name, "cpu")),
            times: 1 / ratioOf(of("service", "wall"), of(name, "wall")),
            ofCpu: ratioOf(of("service", "cpu"), of(name, "cpu")),
          },
        })),
        notes: [
          "middle round (smallest–largest); ÷ is the middle one of the ratios within a round; 16 connections, NODE_ENV=production",
          "fastify responds with the stored object, without authentication",
        ],
      },
      goals: [
        {
          what: `getInstance, requests/s of fastify for one of ours, Node ${node.version}`,
          figure: ratioOf(of("service", "wall"), of("fastify", "wall")),
          limit: 1 / 0.7,
          unit: "×",
        },
      ],
    };
  } finally {
    children.end();
  }
}
