/** One signal for all of these; none where there is none. */
export function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((each) => each !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}
