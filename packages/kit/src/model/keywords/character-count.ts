/** The length of a text in code points, as JSON Schema counts. */
export function characterCount(text: string): number {
  if (!/[\uD800-\uDBFF]/.test(text)) return text.length;
  if (text !== lastCount.text) lastCount = { text, length: lengthOfPairs(text) };
  return lastCount.length;
}

/** Caches the last result: a long text is measured for many fields in sequence. */
let lastCount = { text: "", length: 0 };

function lengthOfPairs(text: string): number {
  let { length } = text;
  for (let index = 1; index < text.length; index += 1)
    // The second half of a surrogate pair does not count.
    if (isWithin(text, index, 0xdc00, 0xdfff) && isWithin(text, index - 1, 0xd800, 0xdbff)) length -= 1;
  return length;
}

function isWithin(text: string, index: number, least: number, most: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= least && unit <= most;
}
