import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { asText, type Fields } from "./json.js";

/** An object that the run has created, and how to delete it. */
export interface Made {
  /** The operation that created it. */
  readonly operation: string;
  readonly resource: string;
  /** The operation that deletes it, and its path parameters. */
  readonly remove: string;
  readonly path: Fields;
  /** The account that owns it, as the test controls name it. Null: the account of the main token. */
  readonly account: string | null;
  readonly username: string | null;
  /** True when a request created it by naming it. */
  readonly named?: true;
}

/** Records created and deleted objects as lines on disk, for the cleanup after a crash. It has no secrets. */
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

/** Writes each line before the run continues. Without a file it writes nothing. */
export function openJournal(file: string | undefined, head: JournalHead): Journal {
  if (file === undefined) return { made: nothing, removed: nothing, close: nothing };
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(file, "a");
  const write = (line: object): void => {
    appendFileSync(descriptor, `${JSON.stringify(line)}\n`);
  };
  // A crash may have truncated the last line.
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

/** The objects that a run has created and not deleted, oldest first. Skips a truncated line. */
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

/** Equal for the same object. Ids are compared as text, since URLs have no numbers. */
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
  // The journal is turned off.
}
