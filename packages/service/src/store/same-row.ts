/** Whether two rows, or parts of rows, are stored as the same text. */
export function isSameRow<Row extends object>(a: Row, b: Row): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
