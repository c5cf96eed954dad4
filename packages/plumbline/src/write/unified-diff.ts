import { structuredPatch } from "diff";

/**
 * Formats a unified diff with three lines of context.
 *
 * @param maxLines maximum number of lines
 */
export function unifiedDiff(before: string, after: string, maxLines = 40): string {
  const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context: 3 });
  const lines = hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart} +${hunk.newStart} @@`,
    ...hunk.lines.filter((line) => !line.startsWith("\\")),
  ]);
  const printed = lines.slice(0, maxLines);
  if (lines.length > printed.length) printed.push(`… ${lines.length - printed.length} more lines`);
  return `${printed.join("\n")}\n`;
}
