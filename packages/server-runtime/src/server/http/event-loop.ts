/** Calls back after other pending events. */
export function runSoon(run: () => void): void {
  if (platform.setImmediate === undefined) setTimeout(run, 0);
  else platform.setImmediate(run);
}

// Node, Deno and Bun have `setImmediate`. Timers replace it elsewhere.
const platform = globalThis as { readonly setImmediate?: (run: () => void) => unknown };
