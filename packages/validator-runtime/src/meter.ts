/** Watches one body while it is read: counts what is held of it, and may end it before its last byte. */
export interface Meter {
  /** Called with the bytes of each chunk before it is held. */
  add(bytes: number): void;
  /** Called once by the reader, with what ends the reading. */
  onEnd(end: (error: Error) => void): void;
  /** Called when nothing more of the body is read; perhaps twice. */
  done(): void;
}
