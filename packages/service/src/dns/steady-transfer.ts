import { setTimeout } from "node:timers/promises";
import { maxMessageBytes, transferZone, type Transfer, type TransferredZone } from "./axfr.js";

/**
 * As `transferZone`, but every failure takes at least as long as a nameserver has for its first message. The duration reveals no open, closed or
 * filtered ports of other machines.
 */
export async function transferInSteadyTime(
  transfer: Transfer,
  { now, sleep }: TransferClock = machineClock,
): Promise<TransferredZone> {
  const begun = now();
  try {
    return await transferZone(transfer);
  } catch (error) {
    // A client that disconnects ends the wait.
    await sleep(maxMessageBytes - (now() - begun), transfer.signal).catch(() => {});
    throw error;
  }
}

/** Times in milliseconds. */
export interface TransferClock {
  readonly now: () => number;
  /** Rejects when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

const machineClock: TransferClock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
};
