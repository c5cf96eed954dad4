/** Returns the most similar name, if it is similar enough for its length. */
export function findNearest(
  wrong: string,
  names: Iterable<string>,
  farthest: number = Math.max(2, Math.floor(wrong.length / 3)),
): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase());
    if (distance <= farthest && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** Returns the number of insertions, deletions, replacements and transpositions between two names. */
export function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const replaced = cell(above, column - 1) + same;
      const swap = swapped ? cell(before, column - 2) + 1 : Number.POSITIVE_INFINITY;
      line.push(Math.min(cell(above, column) + 1, cell(line, column - 1) + 1, replaced, swap));
    }
    before = above;
    above = line;
  }
  return cell(above, b.length);
}

function cell(line: readonly number[], column: number): number {
  return line[column] ?? Number.POSITIVE_INFINITY;
}
