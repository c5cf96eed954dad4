import { availableParallelism, loadavg } from "node:os";

/** How often what was asked for, how it went, and what should not have been. */
export interface Tally {
  done(name: string, took: number): void;
  refused(name: string, answer: Refused): void;
  /** From now on connections may be lost, until the next program is there. */
  programEnds(): void;
  programStarts(): void;
  readonly isEnding: boolean;
  /** What should not have been, each once. */
  faults(): readonly string[];
  /** Of each of these how often it was done, and how often not. */
  report(names: readonly string[]): string;
  neverDone(names: readonly string[]): readonly string[];
  requests(): number;
  slowest(): string;
}

export interface Refused {
  readonly status: number | undefined;
  readonly why: string;
  readonly took: number;
  readonly request: unknown;
}

/** What is not there yet says so, as the documents have it. */
const notYet: ReadonlySet<string> = new Set(["getClusterKubeconfig", "listClusterApiEndpoints"]);

const partOfLife: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404, 409, 429]);

export function newTally(): Tally {
  const done = new Map<string, number>();
  const refused = new Map<string, number>();
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
    refused: (name, { status, why, took, request }) => {
      const key = `${name} ${status ?? "lost"}`;
      refused.set(key, (refused.get(key) ?? 0) + 1);
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
    faults: () => [...found].slice(0, 20),
    report: (names) => names.map((name) => `${name} ${done.get(name) ?? 0} ${failuresOf(name, refused)}`).join("\n"),
    neverDone: (names) => names.filter((name) => !done.has(name)),
    requests: () => [...done.values(), ...refused.values()].reduce((sum, each) => sum + each, 0),
    slowest: () => `${slowest.name} (${Math.round(slowest.took)} ms)`,
  };
}

function failuresOf(name: string, refused: ReadonlyMap<string, number>): string {
  const those = [...refused].filter(([key]) => key.startsWith(`${name} `));
  return those.map(([key, many]) => `${key.slice(name.length + 1)}×${many}`).join(" ");
}

/** Milliseconds that a request may take; more on a machine that has more to do than it can do at once. */
function longest(): number {
  const [load = 0] = loadavg();
  return 5000 * Math.max(1, load / availableParallelism());
}
