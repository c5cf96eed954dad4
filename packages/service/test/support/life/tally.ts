import { availableParallelism, loadavg } from "node:os";

/** Counts requests and their outcomes, and records unexpected ones. */
export interface Tally {
  done(name: string, took: number): void;
  rejected(name: string, response: Rejection): void;
  /** From now on connections may be lost, until the next program starts. */
  programEnds(): void;
  programStarts(): void;
  readonly isEnding: boolean;
  /** Unexpected outcomes, each once. */
  errors(): readonly string[];
  /** The number of successes and of failures for each of these. */
  report(names: readonly string[]): string;
  neverDone(names: readonly string[]): readonly string[];
  requests(): number;
  slowest(): string;
}

export interface Rejection {
  readonly status: number | undefined;
  readonly why: string;
  readonly took: number;
  readonly request: unknown;
}

/** Operations that respond with 503 until their result exists, as the documents state. */
const notYet: ReadonlySet<string> = new Set(["getClusterKubeconfig", "listClusterApiEndpoints"]);

const partOfLife: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404, 409, 429]);

export function newTally(): Tally {
  const done = new Map<string, number>();
  const rejected = new Map<string, number>();
  const found = new Set<string>();
  let isEnding = false;
  let slowest = { name: "nothing", took: 0 };
  const timed = (name: string, took: number): void => {
    if (name.startsWith("controls:") || isEnding) return;
    if (took > slowest.took) slowest = { name, took };
    if (took > longest()) found.add(`${name} took ${Math.round(took)} ms`);
  };
  return {
    done: (name, took) => {
      done.set(name, (done.get(name) ?? 0) + 1);
      timed(name, took);
    },
    rejected: (name, { status, why, took, request }) => {
      const key = `${name} ${status ?? "lost"}`;
      rejected.set(key, (rejected.get(key) ?? 0) + 1);
      timed(name, took);
      if (isEnding && status === undefined) return;
      const isFine = partOfLife.has(status) || (status === 503 && notYet.has(name));
      if (!isFine) found.add(`${name} ${JSON.stringify(request)} was answered ${status ?? "by nothing"}: ${why}`);
    },
    programEnds: () => {
      isEnding = true;
    },
    programStarts: () => {
      isEnding = false;
    },
    get isEnding() {
      return isEnding;
    },
    errors: () => [...found].slice(0, 20),
    report: (names) => names.map((name) => `${name} ${done.get(name) ?? 0} ${failuresOf(name, rejected)}`).join("\n"),
    neverDone: (names) => names.filter((name) => !done.has(name)),
    requests: () => [...done.values(), ...rejected.values()].reduce((sum, each) => sum + each, 0),
    slowest: () => `${slowest.name} (${Math.round(slowest.took)} ms)`,
  };
}

function failuresOf(name: string, rejected: ReadonlyMap<string, number>): string {
  const those = [...rejected].filter(([key]) => key.startsWith(`${name} `));
  return those.map(([key, many]) => `${key.slice(name.length + 1)}×${many}`).join(" ");
}

/** Milliseconds that a request may take. More on an overloaded machine. */
function longest(): number {
  const [load = 0] = loadavg();
  return 5000 * Math.max(1, load / availableParallelism());
}
