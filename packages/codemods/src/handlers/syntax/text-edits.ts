/** A replacement of a part of a text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Applies edits to a text. Everything outside of them keeps its bytes. Insertions at one position keep their order.
 *
 * @throws Error for edits that overlap.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits
    .map((edit, index) => ({ ...edit, index }))
    .toSorted((a, b) => a.start - b.start || a.end - b.end || a.index - b.index);
  let result = "";
  let position = 0;
  for (const edit of sorted) {
    if (edit.start < position) throw new Error(`Two edits overlap at ${edit.start}.`);
    result += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + text.slice(position);
}
