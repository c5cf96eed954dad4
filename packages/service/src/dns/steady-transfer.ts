import { setTimeout as sleep } from "node:timers/promises";
import { longestAnswer, transferZone, type Transfer, type TransferredZone } from "./axfr.js";

/**
 * The same as `transferZone`, but that every failure takes at least as long as a nameserver has for its first message: the time does not tell which ports
 * of which machines are open, closed or filtered.
 */
export async function transferInSteadyTime(transfer: Transfer): Promise<TransferredZone> {
  const begun = performance.now();
  try {
    return await transferZone(transfer);
  } catch (error) {
    // Nobody waits for it when the client has left.
    await sleep(longestAnswer - (performance.now() - begun), undefined, { signal: transfer.signal }).catch(() => {});
    throw error;
  }
}
