/** A replacement of a part of a text. An insertion has the same start and end. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Applies edits to a text. Equal edits count once. Of edits that overlap, the first is applied.
 *
 * @returns the text, and the edits that were not applied
 */
export function applyEdits(
  text: string,
  edits: readonly TextEdit[],
): { readonly text: string; readonly rejected: readonly TextEdit[] } {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const applied: TextEdit[] = [];
  const rejected: TextEdit[] = [];
  for (const edit of sorted) {
    const last = applied.at(-1);
    const isSame = last !== undefined && last.start === edit.start && last.end === edit.end && last.text === edit.text;
    if (isSame) continue;
    if (
      last !== undefined &&
      (edit.start < last.end || (edit.start === last.start && edit.end === last.end && edit.end !== edit.start))
    )
      rejected.push(edit);
    else applied.push(edit);
  }
  let result = "";
  let at = 0;
  for (const { start, end, text: inserted } of applied) {
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return { text: result + text.slice(at), rejected };
}
