/** The lines that differ, in the style of `diff -u`, with three lines around each change; at most 40 lines of it. */
export function unifiedDiff(before: string, after: string): string {
  const [old, next] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < next.length - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  const context = 3;
  const from = Math.max(0, head - context);
  const lines = [
    `@@ -${from + 1} +${from + 1} @@`,
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...next.slice(head, next.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + context).map((line) => ` ${line}`),
  ];
  const shown = lines.slice(0, 40);
  if (lines.length > shown.length) shown.push(`… ${lines.length - shown.length} more lines`);
  return `${shown.join("\n")}\n`;
}
