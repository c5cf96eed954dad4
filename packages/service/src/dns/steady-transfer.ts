import { setTimeout as sleep } from "node:timers/promises";
import { maxMessageBytes, transferZone, type Transfer, type TransferredZone } from "./axfr.js";

/**
 * As `transferZone`, but every failure takes at least as long as a nameserver has for its first message. The duration reveals no open, closed or
 * filtered ports of other machines.
 */
export async function transferInSteadyTime(transfer: Transfer): Promise<TransferredZone> {
  const begun = performance.now();
  try {
    return await transferZone(transfer);
  } catch (error) {
    // A client that disconnects ends the wait.
    await sleep(maxMessageBytes - (performance.now() - begun), undefined, { signal: transfer.signal }).catch(() => {});
    throw error;
  }
}
