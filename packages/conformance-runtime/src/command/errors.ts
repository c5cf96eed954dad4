/** Invalid usage of the command. The message is one line with the fix. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A valid command that had to stop. The message has the reason. */
export class RunAbortedError extends Error {
  override readonly name = "RunAbortedError";
}

/** Converts an expected error to a one-line message with the fix. Rethrows bugs of the program. */
export function toRunAbortedError(error: unknown, wayOut: string): Error {
  if (!(error instanceof Error)) return new RunAbortedError(`Run aborted: ${String(error)}. ${wayOut}`.trimEnd());
  if (error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError) return error;
  const stop = /[.!?]$/.test(error.message) ? "" : ".";
  return new RunAbortedError(`Run aborted: ${error.message}${stop} ${wayOut}`.trimEnd(), { cause: error });
}

/** ` Did you mean "x"?`, or nothing when no name is near. */
export function formatSuggestion(wrong: string, names: Iterable<string>): string {
  const meant = nearestName(wrong, names);
  return meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`;
}

function nearestName(wrong: string, names: Iterable<string>): string | undefined {
  const word = wrong.toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= least) continue;
    const distance = editDistance(word, name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** The number of letters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      line.push(Math.min((above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, replaced));
    }
    above = line;
  }
  return above[to.length] ?? 0;
}
