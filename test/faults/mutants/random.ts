import { createHash } from "node:crypto";

/** One of several, chosen by a seed and a text. */
export function pick<T>(items: readonly T[], seed: number, text: string): T | undefined {
  return items[hashOf(seed, text) % Math.max(items.length, 1)];
}

/** A number that follows from a seed and a text. */
export function hashOf(seed: number, text: string): number {
  return createHash("sha256").update(`${seed} ${text}`).digest().readUInt32BE(0);
}
