import { rm, cp } from "node:fs/promises";
import path from "node:path";
import { Children, hear } from "../children.js";
import { ratioOf, spreadOf } from "../figures.js";
import type { Node } from "../peers.js";
import type { Compared } from "../report.js";
import { fireAt, type Taken } from "./fire.js";
import { stores } from "./place.js";

export interface CreateOptions {
  readonly node: Node;
  readonly rounds: number;
  /** Of each kind in a turn. */
  readonly count: number;
  readonly warmUp: number;
}

/** The number of users, since each creates ten instances of either kind. */
export function usersFor({ rounds, warmUp, count }: Omit<CreateOptions, "node">): number {
  return Math.ceil(((rounds + warmUp) * count * instanceKinds) / 10);
}

const instanceKinds = 2;

/** The created objects, and whether the goal is the rate of commits. */
const kinds = {
  createInstance: "an instance",
  createDomain: "a domain",
  deployInstance: "an instance with an image and a password",
} as const;

type Kind = keyof typeof kinds;

const goals: readonly Kind[] = ["createInstance", "createDomain"];

/** Creates through HTTP, beside commits of the same store within a process. */
export async function compareCreates(folder: string, options: CreateOptions): Promise<Compared> {
  const { node, rounds, count, warmUp } = options;
  const children = new Children(folder, node);
  const copies = [stores.making, stores.writing].map(
    (name) => [path.join(folder, name), path.join(folder, `${name} copy`)] as const,
  );
  try {
    for (const [from, to] of copies) await cp(from, to, { recursive: true });
    const [[, making], [, writing]] = copies as [(typeof copies)[number], (typeof copies)[number]];
    const fire = children.start("fire.mjs");
    const service = await children.serve("service", making);
    const commits = children.start("commit.mjs", writing);
    await hear(commits);
    const walls: number[] = [];
    const taken: Record<Kind, Taken[]> = { createInstance: [], createDomain: [], deployInstance: [] };
    for (let turn = 0; turn < rounds + warmUp; turn += 1) {
      const reported = hear<{ readonly milliseconds: number }>(commits);
      commits.send({ count });
      const { milliseconds } = await reported;
      if (turn >= warmUp) walls.push((milliseconds * 1000) / count);
      for (const kind of Object.keys(kinds) as Kind[]) {
        // The users who deploy differ from those who create instances without an image.
        const first = (turn + (kind === "deployInstance" ? rounds + warmUp : 0)) * count;
        const one = await fireAt(service, fire, { kind, first, count, connections: 64, stored: 0 });
        if (turn >= warmUp) taken[kind].push(one);
      }
    }
    const wallsOf = (kind: Kind) => taken[kind].map(({ wall }) => wall);
    const rates = (times: readonly number[]) => spreadOf(times.map((time) => 1e6 / time));
    return {
      table: {
        title: `Making what is on disk before it is answered, Node ${node.version}`,
        columns: {
          rate: { title: "each second", digits: 0 },
          cpu: { title: "µs of CPU", digits: 0 },
          times: { title: "÷ commits", digits: 2 },
        },
        rows: [
          { name: "commits of one row, one after the other", cells: { rate: rates(walls), times: 1 } },
          ...(Object.keys(kinds) as Kind[]).map((kind) => ({
            name: kinds[kind],
            cells: {
              rate: rates(wallsOf(kind)),
              cpu: spreadOf(taken[kind].map(({ cpu }) => cpu)),
              times: 1 / ratioOf(wallsOf(kind), walls),
            },
          })),
        ],
        notes: [
          "middle round (smallest–largest); ÷ is the middle one of the ratios within a round; 64 connections, each user within its limit",
          "a password is hashed with scrypt, which takes milliseconds of CPU with any store",
        ],
      },
      goals: goals.map((kind) => ({
        what: `${kind}, commits for one of them, Node ${node.version}`,
        figure: ratioOf(wallsOf(kind), walls),
        limit: 1 / 0.7,
        unit: "×",
      })),
    };
  } finally {
    children.end();
    for (const [, copy] of copies) await rm(copy, { recursive: true, force: true, maxRetries: 10 });
  }
}
