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
      // Some systems do not say what changed.
      if (name === null || names === "all" || names?.has(name) === true) tell();
    });
    watcher.on("error", () => {
      watchers.delete(folder); // it is gone; whatever comes instead is seen from above
      watcher.close();
      tell();
    });
    return watcher;
  }

  return {
    follow: (inputs) => {
      wanted = placesOf(inputs);
      for (const [folder, watcher] of watchers)
        if (!wanted.has(folder)) {
          watchers.delete(folder);
          watcher.close();
        }
      for (const folder of wanted.keys()) if (!watchers.has(folder)) watchers.set(folder, open(folder));
    },
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
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
    // A folder on the way that is renamed takes the file with it.
    if (!existsSync(folder)) {
      places.delete(folder);
      want(folder);
    }
  };
  for (const folder of Object.keys(folders)) {
    if (existsSync(folder)) places.set(folder, "all");
    else want(folder);
  }
  for (const file of Object.keys(files)) want(file);
  return places;
}
