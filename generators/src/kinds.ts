/** The artifacts that there are; what makes them is loaded when there is something to make. */
export const kinds = ["client", "validator", "server", "conformance"] as const;

export type Kind = (typeof kinds)[number];
