/** The built-in artifacts. Their generators load on first use. */
export const artifactKinds = ["client", "validator", "server", "conformance"] as const;

export type ArtifactKind = (typeof artifactKinds)[number];
