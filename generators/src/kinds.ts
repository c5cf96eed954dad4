/** The built-in artifacts. Their generators load on first use. */
export const kinds = ["client", "validator", "server", "conformance"] as const;

export type Kind = (typeof kinds)[number];
