/** Returns the fix for an unknown name, after a space: the nearest name, or with `noun` a list of the names. Nothing else fits: no text. */
export function formatSuggestion(wrong: string, names: Iterable<string>, noun?: string): string {
  const all = [...names];
  const nearest = findNearest(wrong, all);
  if (nearest !== undefined) return ` Did you mean ${JSON.stringify(nearest)}?`;
  return noun === undefined || all.length === 0 ? "" : ` The ${noun} are ${all.join(", ")}.`;
}

function findNearest(wrong: string, names: Iterable<string>): string | undefined {
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
