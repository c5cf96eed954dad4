import type { Identity } from "../http/identity.js";
import type { Party, Snapshot } from "./snapshot.js";

/** The objects and callers of the cases that read everything, and the last reading. */
export interface FrameWorld {
  readonly parties: ReadonlyMap<Party, Identity>;
  /** Fields that differ from one reading to the next though nothing has happened, by object and pointer. */
  readonly unsteady: ReadonlySet<string>;
  snapshot: Snapshot;
  /** The number of changing requests of the worker at the time of the reading. */
  changes: number;
  /** The time of the reading by the clock of the server, in milliseconds since 1970. */
  time: number;
}
