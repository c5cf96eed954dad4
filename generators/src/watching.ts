import { existsSync, readlinkSync, realpathSync, statSync, watch, type FSWatcher, type WatchListener } from "node:fs";
import path from "node:path";
import type { Inputs } from "./inputs.js";

/** Looks after what a run has read. */
export interface Watching {
  /** What is looked after from now on. */
  readonly follow: (inputs: Inputs) => void;
  readonly close: () => void;
}

/** Milliseconds after the last sign of a change: who saves several files, or by way of a second name, is done by then. */
const rest = 20;

/**
 * Calls `changed` when something happened to a file that was read, or to the names in a folder that was listed; also to such that were not
 * there. Folders are watched and not files, since editors replace files.
 */
export function watchInputs(changed: () => void): Watching {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>();
  let wanted = new Map<string, ReadonlySet<string> | "all">();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function tell(): void {
    clearTimeout(timer);
    timer = setTimeout(changed, rest);
  }

  function open(folder: string): void {
    const identity = identityOf(folder);
    const watcher = started(folder, (_, name) => {
      const names = wanted.get(folder);
      // A folder that was moved would be watched where it is now.
      if (name !== null) forget(path.join(folder, name));
      // Some systems do not say what changed; a folder that is moved or removed tells of itself by its own name.
      if (name === null || names === "all" || names?.has(name) === true || name === path.basename(folder)) tell();
    });
    if (watcher === "gone") return tell();
    if (watcher === "closed") return;
    watcher.on("error", () => {
      forget(folder); // it is gone; whatever comes instead is seen from above
      tell();
    });
    watchers.set(folder, { watcher, identity });
  }

  function forget(folder: string): void {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  }

  return {
    follow: (inputs) => {
      if (isClosed) return;
      wanted = placesOf(inputs);
      // Another folder may be there by that name, when one above it was moved.
      for (const [folder, { identity }] of watchers)
        if (!wanted.has(folder) || identityOf(folder) !== identity) forget(folder);
      for (const folder of wanted.keys()) if (!watchers.has(folder)) open(folder);
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      for (const folder of watchers.keys()) forget(folder);
    },
  };
}

/** Watches a folder, unless it has gone meanwhile, or is closed to whoever runs this. Throws what the system has too little for. */
function started(folder: string, listener: WatchListener<string>): FSWatcher | "gone" | "closed" {
  try {
    return watch(folder, listener);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return "gone";
    if (code === "EACCES" || code === "EPERM") return "closed";
    throw error;
  }
}

function identityOf(folder: string): string {
  const status = statSync(folder, { throwIfNoEntry: false });
  return status === undefined ? "" : `${status.dev}:${status.ino}`;
}

/** The folders to watch, and which names in them mean something. A folder that is not there is waited for in the nearest one above. */
function placesOf({ files, folders }: Inputs): Map<string, ReadonlySet<string> | "all"> {
  const places = new Map<string, Set<string> | "all">();
  const want = (place: string): void => {
    const folder = path.dirname(place);
    const names = places.get(folder) ?? new Set<string>();
    if (names !== "all") places.set(folder, names.add(path.basename(place)));
  };
  /** Waits for a folder, or for one above it that is not there either. */
  const wantFolder = (folder: string): boolean => {
    const parent = path.dirname(folder);
    if (existsSync(folder) || parent === folder) {
      want(folder); // that it is moved away is seen from above
      return true;
    }
    if (wantFolder(parent)) want(folder);
    return false;
  };
  for (const file of Object.keys(files).flatMap(linked)) if (wantFolder(path.dirname(file))) want(file);
  for (const folder of Object.keys(folders)) if (wantFolder(folder)) places.set(folder, "all");
  return places;
}

/** A path, and what it leads to where it is a link: the folder of a link does not tell of changes elsewhere. */
function linked(file: string): readonly string[] {
  const found = new Set<string>();
  for (let next: string | undefined = file; next !== undefined && !found.has(next); next = targetOf(next))
    found.add(next);
  return [...found];
}

function targetOf(file: string): string | undefined {
  try {
    // What the link says counts from where its folder really is.
    return path.resolve(realpathSync(path.dirname(file)), readlinkSync(file));
  } catch {
    return undefined; // it is no link, or not there
  }
}
