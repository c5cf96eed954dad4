/** Clocks of the machine, in milliseconds. */
export interface MachineClocks {
  /** The time since 1970, which may be set. */
  readonly wall: () => number;
  /** Monotonic time since some moment. It may stop while the machine sleeps. */
  readonly elapsed: () => number;
}

/**
 * The time since 1970 in whole milliseconds, which never goes back: otherwise jobs that are already due would wait. When the machine's clock is set
 * back, the time continues from its last value. It follows a clock that is set forward, also after sleep.
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
