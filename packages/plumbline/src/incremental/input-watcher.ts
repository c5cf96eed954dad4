import { existsSync, readlinkSync, realpathSync, statSync, watch, type FSWatcher, type WatchListener } from "node:fs";
import path from "node:path";
import type { RecordedInputs } from "@plumbline/kit/openapi/files";

/** Watches the inputs of a run. */
export interface InputWatcher {
  /** Replaces the watched inputs. */
  readonly follow: (inputs: RecordedInputs) => void;
  readonly close: () => void;
}

/** Milliseconds after the last event: an editor that saves several files, or renames a temporary one, has finished by then. */
const debounceMs = 20;

/**
 * Calls `changed` after a change of a file that was read, or of the names in a folder that was listed. That includes files and folders that
 * were missing. It watches folders instead of files, since editors replace files.
 */
export function watchInputs(changed: () => void): InputWatcher {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>();
  let watched = new Map<string, ReadonlySet<string> | "all">();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function notify(): void {
    clearTimeout(timer);
    timer = setTimeout(changed, debounceMs);
  }

  function open(folder: string): void {
    const identity = folderIdentity(folder);
    const watcher = startWatcher(folder, (_, name) => {
      const names = watched.get(folder);
      // The watcher of a moved folder would follow it to its new path.
      if (name !== null) forget(path.join(folder, name));
      // Some systems report no name. A folder that is moved or removed reports its own name.
      if (name === null || names === "all" || names?.has(name) === true || name === path.basename(folder)) notify();
    });
    if (watcher === "gone") return notify();
    if (watcher === "closed") return;
    watcher.on("error", () => {
      forget(folder); // it is gone; the watcher of its parent sees a replacement
      notify();
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
      watched = foldersToWatch(inputs);
      // The path may have another folder now, if a parent was moved.
      for (const [folder, { identity }] of watchers)
        if (!watched.has(folder) || folderIdentity(folder) !== identity) forget(folder);
      for (const folder of watched.keys()) if (!watchers.has(folder)) open(folder);
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      for (const folder of watchers.keys()) forget(folder);
    },
  };
}

/** Watches a folder, unless it is gone or not readable. Throws when the system runs out of watchers. */
function startWatcher(folder: string, listener: WatchListener<string>): FSWatcher | "gone" | "closed" {
  try {
    return watch(folder, listener);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return "gone";
    if (code === "EACCES" || code === "EPERM") return "closed";
    throw error;
  }
}

function folderIdentity(folder: string): string {
  const status = statSync(folder, { throwIfNoEntry: false });
  return status === undefined ? "" : `${status.dev}:${status.ino}`;
}

/** The folders to watch, with the relevant names in them. For a missing folder, its nearest existing parent is watched. */
function foldersToWatch({ files, folders }: RecordedInputs): Map<string, ReadonlySet<string> | "all"> {
  const places = new Map<string, Set<string> | "all">();
  const want = (place: string): void => {
    const folder = path.dirname(place);
    const names = places.get(folder) ?? new Set<string>();
    if (names !== "all") places.set(folder, names.add(path.basename(place)));
  };
  /** Watches for a folder, or for a missing parent of it. */
  const wantFolder = (folder: string): boolean => {
    const parent = path.dirname(folder);
    if (existsSync(folder) || parent === folder) {
      want(folder); // the watcher of the parent sees that it is moved away
      return true;
    }
    if (wantFolder(parent)) want(folder);
    return false;
  };
  for (const file of Object.keys(files).flatMap(resolveLinks)) if (wantFolder(path.dirname(file))) want(file);
  for (const folder of Object.keys(folders)) if (wantFolder(folder)) places.set(folder, "all");
  return places;
}

/** A path, and the targets of its symbolic links: the folder of a link has no events for its target. */
function resolveLinks(file: string): readonly string[] {
  const paths = new Set<string>();
  for (let next: string | undefined = file; next !== undefined && !paths.has(next); next = readLinkTarget(next))
    paths.add(next);
  return [...paths];
}

function readLinkTarget(file: string): string | undefined {
  try {
    // A relative link counts from the real path of its folder.
    return path.resolve(realpathSync(path.dirname(file)), readlinkSync(file));
  } catch {
    return undefined; // not a link, or missing
  }
}
