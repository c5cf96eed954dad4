/** Descriptions that no suite is generated for: the linter rejects them. */
export const rejectedDescriptions: readonly string[] = [];

/** Cases of third-party suites that the mock does not pass, as `DESCRIPTION ID`, and why. A reason that nothing needs fails. */
export const unmetCases: readonly { readonly because: string; readonly cases: readonly RegExp[] }[] = [];
