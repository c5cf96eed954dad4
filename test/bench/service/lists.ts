import { Children, hear } from "../children.js";
import { ratioOf, spreadOf } from "../figures.js";
import type { Node } from "../peers.js";
import type { Compared } from "../report.js";
import { fireAt } from "./fire.js";
import { few, stores } from "./place.js";

export interface ListOptions {
  readonly node: Node;
  readonly rounds: number;
  /** Lists of a turn. */
  readonly count: number;
  readonly warmUp: number;
  readonly stored: number;
}

/** The requested lists; in the small store each contains everything. */
const lists = {
  all: "all",
  region: "of a region, a quarter",
  tag: "with a tag, 100",
  part: "with a word in their labels, 100",
  order: "with a part that all labels have, by label",
} as const;

type List = keyof typeof lists;

/** Whether something was written since the last request of the list. */
const times = { again: "", afterWrite: ", after a write" } as const;

type Time = keyof typeof times;

/** Compares the first hundred of many with a list of a hundred, and measures the memory after that and after many other requests. */
export async function compareLists(folder: string, options: ListOptions): Promise<readonly Compared[]> {
  const { node, rounds, count, warmUp, stored } = options;
  const children = new Children(folder, node);
  try {
    const fire = children.start("fire.mjs");
    const small = await children.serve("service", stores.small);
    const large = await children.serve("service", stores.large);
    await fireAt(large, fire, { kind: "getInstance", first: 0, count: gets, connections: 16, stored });
    const cases = (Object.keys(lists) as List[]).flatMap((list) =>
      (Object.keys(times) as Time[]).map((time) => ({ list, time, small: [] as number[], large: [] as number[] })),
    );
    for (let round = 1 - warmUp; round <= rounds; round += 1)
      for (const each of cases)
        for (const [name, served] of [
          ["small", small],
          ["large", large],
        ] as const) {
          const before = each.time === "again" ? {} : { before: "updateInstance" };
          const shots = {
            kind: each.list,
            ...before,
            first: (round + warmUp) * count,
            count,
            connections: 1,
            stored: few,
          };
          const { wall } = await fireAt(served, fire, shots);
          if (round >= 1) each[name].push(wall);
        }
    const reported = hear<{ readonly rss: number }>(large.child);
    large.child.send("rss");
    const { rss } = await reported;
    const nameOf = ({ list, time }: (typeof cases)[number]): string => `${lists[list]}${times[time]}`;
    return [
      {
        table: {
          title: `A page of 100 instances, Node ${node.version}`,
          columns: {
            small: { title: `µs of ${few}`, digits: 0 },
            large: { title: `µs of ${stored}`, digits: 0 },
            times: { title: "×", digits: 2 },
          },
          rows: cases.map((each) => ({
            name: nameOf(each),
            cells: { small: spreadOf(each.small), large: spreadOf(each.large), times: ratioOf(each.large, each.small) },
          })),
          notes: [
            "middle round (smallest–largest); × is the middle one of the ratios within a round; one connection",
            "how many there are is counted once until an instance is written; after a write it is counted again",
          ],
        },
        goals: cases.map((each) => ({
          what: `100 instances ${nameOf(each)}, against the same of ${few}, Node ${node.version}`,
          figure: ratioOf(each.large, each.small),
          limit: each.list === "part" ? 3 : 5,
          unit: "×",
        })),
      },
      {
        table: {
          title: `What the process holds after ${stored} instances, Node ${node.version}`,
          columns: { rss: { title: "MB resident", digits: 1 } },
          rows: [{ name: `after ${gets} requests for one, and the lists`, cells: { rss: rss / 1e6 } }],
          notes: ["instances were stored by another process"],
        },
        goals: [{ what: `memory, Node ${node.version}`, figure: rss / 1e6, limit: 150, unit: "MB" }],
      },
    ];
  } finally {
    children.end();
  }
}

const gets = 10_000;
