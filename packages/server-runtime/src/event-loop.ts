/** Calls back after other events had their turn. */
export function soon(run: () => void): void {
  if (platform.setImmediate === undefined) setTimeout(run, 0);
  else platform.setImmediate(run);
}

// Node, Deno and Bun have it; elsewhere timers do as well.
const platform = globalThis as { readonly setImmediate?: (run: () => void) => unknown };
