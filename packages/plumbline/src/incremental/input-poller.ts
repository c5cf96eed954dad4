import { stat } from "node:fs/promises";
import type { RecordedInputs } from "@plumbline/kit/openapi";
import type { InputWatcher } from "./input-watcher.js";

/** Milliseconds between two rounds. */
const pollIntervalMs = 200;

/**
 * Calls `changed` after a change of an input, like `watchInputs`. It compares the status of all inputs in rounds, because containers and network
 * disks may report no events. Paths lead to targets of links, and to what has replaced a folder.
 */
export function pollInputs(changed: () => void): InputWatcher {
  let statuses = new Map<string, string | undefined>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function look(): Promise<void> {
    const inputs = statuses;
    const current = await Promise.all(
      [...inputs.keys()].map(async (input) => [input, await inputStatus(input)] as const),
    );
    if (isClosed) return;
    // A new input has no status yet: it may have changed since it was read, which `changed` finds out.
    const isChanged = current.some(([input, status]) => inputs.get(input) !== status);
    for (const [input, status] of current) inputs.set(input, status);
    if (isChanged) changed();
    wait();
  }

  function wait(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), pollIntervalMs);
  }

  return {
    follow: ({ files, folders }: RecordedInputs) => {
      if (isClosed) return;
      statuses = new Map([...Object.keys(files), ...Object.keys(folders)].map((input) => [input, statuses.get(input)]));
      if (timer === undefined) wait();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Differs after a change. Empty for a missing input. */
async function inputStatus(input: string): Promise<string> {
  const status = await stat(input, { bigint: true }).catch(() => undefined);
  return status === undefined ? "" : `${status.dev}:${status.ino}:${status.size}:${status.mtimeNs}`;
}
