import type { RateLimitResult } from "./limits.js";

/**
 * A sliding window: the times of one key's allowed hits, in milliseconds since 1970, oldest first.
 * They are in a ring that grows up to the limit, so the cost of a hit does not depend on their number.
 */
export class SlidingWindow {
  readonly #window: number;
  #ring: number[] = [0];
  #first = 0;
  #count = 0;
  #latest = Number.NEGATIVE_INFINITY;

  constructor(window: number) {
    this.#window = window;
  }

  /** Counts a hit if fewer than `max` are in the window. */
  hit(max: number, now: number): RateLimitResult {
    const at = this.#settle(now);
    const isAllowed = this.#count < max;
    if (isAllowed) this.#add(at, max);
    const oldest = this.#count > 0 ? this.#at(0) : at;
    return { isAllowed, remaining: Math.max(0, max - this.#count), resetAt: oldest + this.#window };
  }

  /** Removes the oldest hit that was counted at this time or later. */
  undo(now: number): void {
    const times = Array.from({ length: this.#count }, (_, index) => this.#at(index));
    const index = times.findIndex((each) => each >= now);
    if (index === -1) return;
    this.#ring = times.toSpliced(index, 1);
    this.#first = 0;
    this.#count -= 1;
    if (this.#ring.length === 0) this.#ring.push(0);
  }

  /** True if the window has no hits. */
  isOver(now: number): boolean {
    this.#settle(now);
    return this.#count === 0;
  }

  /** Removes hits that have left the window. Returns the time that counts as now. */
  #settle(now: number): number {
    if (this.#latest - now > Math.max(this.#window, maxLatenessMs)) this.#setBack(now);
    this.#latest = Math.max(this.#latest, now);
    while (this.#count > 0 && this.#at(0) <= this.#latest - this.#window) {
      this.#first = (this.#first + 1) % this.#ring.length;
      this.#count -= 1;
    }
    return this.#latest;
  }

  #add(time: number, max: number): void {
    if (this.#count === this.#ring.length) this.#grow(Math.min(max, this.#count * 2));
    this.#ring[(this.#first + this.#count) % this.#ring.length] = time;
    this.#count += 1;
  }

  #grow(length: number): void {
    const times = Array.from({ length: this.#count }, (_, index) => this.#at(index));
    this.#ring = [...times, ...Array.from<number>({ length: length - times.length }).fill(0)];
    this.#first = 0;
  }

  /** After the clock was set back, all hits count as of now, so no client waits longer than one window. */
  #setBack(now: number): void {
    this.#latest = now;
    this.#ring.fill(now);
  }

  #at(index: number): number {
    return this.#ring[(this.#first + index) % this.#ring.length] ?? 0;
  }
}

/**
 * Milliseconds. A request may be counted after one that started later, and then counts as of that one. A larger difference means that the
 * clock was set back.
 */
export const maxLatenessMs = 60_000;
