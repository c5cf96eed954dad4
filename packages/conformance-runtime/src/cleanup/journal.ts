import { writeSync, closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { toText, type JsonObject } from "../values/json.js";

/** An object that the run has created, and how to delete it. */
export interface CreationRecord {
  /** The operation that created it. */
  readonly operation: string;
  readonly resource: string;
  /** The operation that deletes it, and its path parameters. */
  readonly deletedBy: string;
  readonly path: JsonObject;
  /** The account that owns it, as the test controls name it. Null: the account of the main token. */
  readonly account: string | null;
  readonly username: string | null;
  /** True when a request created it by naming it. */
  readonly isImplicit?: true;
}

/** Records created and deleted objects as lines on disk, for the cleanup after a crash. It has no secrets. */
export interface RunJournal {
  recordCreation(record: CreationRecord): void;
  recordDeletion(record: Pick<CreationRecord, "deletedBy" | "path">): void;
  close(): void;
}

export interface JournalHeader {
  readonly runId: string;
  readonly url: string;
  readonly started: string;
}

/** Writes each line before the run continues. Without a file it writes nothing. */
export function openJournal(file: string | undefined, head: JournalHeader): RunJournal {
  if (file === undefined)
    return { recordCreation: disabledJournal, recordDeletion: disabledJournal, close: disabledJournal };
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(file, "a");
  const write = (line: object): void => {
    writeSync(descriptor, `${JSON.stringify(line)}\n`);
  };
  // A crash may have truncated the last line.
  writeSync(descriptor, "\n");
  write({ run: head });
  return {
    recordCreation: (record) => {
      write({ created: record });
    },
    recordDeletion: ({ deletedBy, path }) => {
      write({ deleted: { deletedBy, path } });
    },
    close: () => {
      closeSync(descriptor);
    },
  };
}

/** The objects that a run has created and not deleted, oldest first. Skips a truncated line. */
export function readJournal(file: string, runId: string): readonly CreationRecord[] {
  const open = new Map<string, CreationRecord>();
  let ours = false;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const entry = parseEntry(line);
    if (entry?.run !== undefined) ours = entry.run.runId === runId;
    if (!ours || entry === undefined) continue;
    if (entry.created !== undefined) open.set(objectKey(entry.created), entry.created);
    if (entry.deleted !== undefined) open.delete(objectKey(entry.deleted));
  }
  return [...open.values()];
}

/** Equal for the same object. Ids are compared as text, since URLs have no numbers. */
export function objectKey({ deletedBy, path }: Pick<CreationRecord, "deletedBy" | "path">): string {
  const parts = Object.entries(path).map(([name, value]) => `${name}=${toText(value)}`);
  return `${deletedBy} ${parts.toSorted().join(" ")}`;
}

interface JournalEntry {
  readonly run?: JournalHeader;
  readonly created?: CreationRecord;
  readonly deleted?: Pick<CreationRecord, "deletedBy" | "path">;
}

function parseEntry(line: string): JournalEntry | undefined {
  if (!line.endsWith("}")) return undefined;
  try {
    return JSON.parse(line) as JournalEntry;
  } catch {
    return undefined;
  }
}

function disabledJournal(): void {
  // The journal is turned off.
}
