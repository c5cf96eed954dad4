import type { ChildProcess } from "node:child_process";
import { cpuOf, hear, type Served } from "../children.js";

/** The names of the requests. */
export interface Shots {
  readonly kind: string;
  /** A request before each of them, which is not timed. */
  readonly before?: string;
  /** The number of the first one. */
  readonly first: number;
  readonly count: number;
  readonly connections: number;
  /** Instances that are stored. */
  readonly stored: number;
}

/** What a request took, in microseconds. */
export interface Taken {
  readonly wall: number;
  /** Of the server. */
  readonly cpu: number;
}

/** Has requests sent to a server. Throws when an answer is not as it should be. */
export async function fireAt(served: Served, fire: ChildProcess, shots: Shots): Promise<Taken> {
  const before = await cpuOf(served);
  const reported = hear<{ readonly milliseconds?: number; readonly wrong?: string }>(fire);
  fire.send({ port: served.port, ...shots });
  const { milliseconds, wrong } = await reported;
  if (milliseconds === undefined) throw new Error(`${shots.kind} is answered otherwise:\n${wrong}`);
  return { wall: (milliseconds * 1000) / shots.count, cpu: ((await cpuOf(served)) - before) / shots.count };
}
