import { existsSync, watch, type FSWatcher } from "node:fs";
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
  const watchers = new Map<string, FSWatcher>();
  let wanted = new Map<string, ReadonlySet<string> | "all">();
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    clearTimeout(timer);
    timer = setTimeout(changed, rest);
  }

  function open(folder: string): FSWatcher {
    const watcher = watch(folder, (_, name) => {
      const names = wanted.get(folder);
      // A folder that was moved would be watched where it is now.
      if (name !== null) forget(path.join(folder, name));
      // Some systems do not say what changed.
      if (name === null || names === "all" || names?.has(name) === true) tell();
    });
    watcher.on("error", () => {
      forget(folder); // it is gone; whatever comes instead is seen from above
      tell();
    });
    return watcher;
  }

  function forget(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  return {
    follow: (inputs) => {
      wanted = placesOf(inputs);
      for (const folder of watchers.keys()) if (!wanted.has(folder)) forget(folder);
      for (const folder of wanted.keys()) if (!watchers.has(folder)) watchers.set(folder, open(folder));
    },
    close: () => {
      clearTimeout(timer);
      for (const folder of watchers.keys()) forget(folder);
    },
  };
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
  for (const file of Object.keys(files)) if (wantFolder(path.dirname(file))) want(file);
  for (const folder of Object.keys(folders)) if (wantFolder(folder)) places.set(folder, "all");
  return places;
}
