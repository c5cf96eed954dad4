/** A clock that can be moved forward. */
export class MockClock {
  readonly #base: () => number;
  #offsetMs = 0;

  /** @param base - Returns the time in milliseconds since 1970. */
  constructor(base: () => number) {
    this.#base = base;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#base() + this.#offsetMs;
  }

  /**
   * @param milliseconds - At least 0.
   * @throws RangeError if dates do not go that far. The clock stays as it is.
   */
  advance(milliseconds: number): void {
    if (!(this.now() + milliseconds < endOfTimeMs)) throw new RangeError("That is further than dates go.");
    this.#offsetMs += Math.max(0, milliseconds);
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Returns to an offset from the base. */
  setOffset(milliseconds: number): void {
    this.#offsetMs = milliseconds;
  }
}

/** Years have four digits, also those of events that are planned years ahead. */
const endOfTimeMs = Date.UTC(9900, 0);

/** A time as clients read it, in UTC. */
export function formatTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/**
 * The milliseconds of an ISO 8601 duration, such as `PT30S` or `P1DT12H`. Months and years have no fixed length.
 *
 * @throws TypeError for a text that is not such a duration
 */
export function durationMs(text: string): number {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text);
  if (match === null || text === "P" || text.endsWith("T"))
    throw new TypeError(
      `"${text}" is not an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT30S.`,
    );
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((each) => Number(each ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}
