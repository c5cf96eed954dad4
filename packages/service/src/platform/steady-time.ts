/** Clocks of the machine, in milliseconds. */
export interface MachineClocks {
  /** The time since 1970, which may be set. */
  readonly wall: () => number;
  /** The time since some moment, which only goes on. It may stop while the machine sleeps. */
  readonly elapsed: () => number;
}

/**
 * The time since 1970 in whole milliseconds, which never goes back: set back, the machine's clock would have jobs wait that are due already. It goes on from
 * where it was, and follows a clock that is set forward, or was while the machine slept.
 */
export function steadyTime({ wall, elapsed }: MachineClocks = machineClocks): () => number {
  let ahead = Number.NEGATIVE_INFINITY;
  return () => {
    const passed = elapsed();
    ahead = Math.max(ahead, wall() - passed);
    return Math.floor(ahead + passed);
  };
}

const machineClocks: MachineClocks = { wall: () => Date.now(), elapsed: () => performance.now() };
