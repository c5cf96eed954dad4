import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { asText, type Fields } from "./json.js";

/** Something that the run has made, and how it is taken away again. */
export interface Made {
  /** The operation that made it. */
  readonly operation: string;
  readonly resource: string;
  /** The operation that takes it away, and its path. */
  readonly remove: string;
  readonly path: Fields;
  /** Whose it is: a name of an account, in the words of the test controls; null: the one whose token was given. */
  readonly account: string | null;
  readonly username: string | null;
  /** A request made it by naming it, where it was not there yet. */
  readonly named?: true;
}

/** What the run makes and takes away, as lines on disk, so that it can be cleaned up after a crash. No secrets. */
export interface Journal {
  made(made: Made): void;
  removed(made: Pick<Made, "remove" | "path">): void;
  close(): void;
}

export interface JournalHead {
  readonly runId: string;
  readonly url: string;
  readonly started: string;
}

/** Writes each line before the run goes on; without a file it writes nothing. */
export function openJournal(file: string | undefined, head: JournalHead): Journal {
  if (file === undefined) return { made: nothing, removed: nothing, close: nothing };
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(file, "a");
  const write = (line: object): void => {
    appendFileSync(descriptor, `${JSON.stringify(line)}\n`);
  };
  // A crash may have cut the last line short.
  appendFileSync(descriptor, "\n");
  write({ run: head });
  return {
    made: (made) => {
      write({ made });
    },
    removed: ({ remove, path }) => {
      write({ removed: { remove, path } });
    },
    close: () => {
      closeSync(descriptor);
    },
  };
}

/** What a run has made and not taken away, the oldest first. A line that a crash has cut short is passed over. */
export function readJournal(file: string, runId: string): readonly Made[] {
  const open = new Map<string, Made>();
  let ours = false;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const entry = entryOf(line);
    if (entry?.run !== undefined) ours = entry.run.runId === runId;
    if (!ours || entry === undefined) continue;
    if (entry.made !== undefined) open.set(nameOf(entry.made), entry.made);
    if (entry.removed !== undefined) open.delete(nameOf(entry.removed));
  }
  return [...open.values()];
}

/** The same for the same thing. Ids are compared as text: an address has no numbers. */
export function nameOf({ remove, path }: Pick<Made, "remove" | "path">): string {
  const parts = Object.entries(path).map(([name, value]) => `${name}=${asText(value)}`);
  return `${remove} ${parts.toSorted().join(" ")}`;
}

interface Entry {
  readonly run?: JournalHead;
  readonly made?: Made;
  readonly removed?: Pick<Made, "remove" | "path">;
}

function entryOf(line: string): Entry | undefined {
  if (!line.endsWith("}")) return undefined;
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}

function nothing(): void {
  // Nobody wants it written down.
}
