/** The longest text that anything builds for a test, in UTF-16 units: a megabyte. */
export const maxTestedLength: number = 2 ** 20;

/** The longest list that anything builds for a test, in items. */
export const maxTestedItems: number = 2 ** 17;
