/**
 * The milliseconds after which a test or a program that a test starts counts as hanging, and is ended. A busy machine reaches none.
 *
 * @param {string | undefined} mode of vitest
 */
export function deadlineOf(mode) {
  return mode === "full" || mode === "citus" ? 3_600_000 : 900_000;
}
