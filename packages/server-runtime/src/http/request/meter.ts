/** Watches one body while it is read. Counts its bytes in memory, and may end it early. */
export interface Meter {
  /** Called with the size of each chunk before it is buffered. */
  add(bytes: number): void;
  /** Called once by the reader. `end` stops reading with an error. */
  onEnd(end: (error: Error) => void): void;
  /** Called when no more of the body is read. May be called twice. */
  done(): void;
}
