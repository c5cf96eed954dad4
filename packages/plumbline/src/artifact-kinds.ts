/** The built-in artifacts, and the packages of their generators. A package loads on first use. */
export const builtInGenerators = {
  client: "@plumbline/generator-client",
  validator: "@plumbline/generator-validator",
  server: "@plumbline/generator-server",
  conformance: "@plumbline/generator-conformance",
} as const;

export type ArtifactKind = keyof typeof builtInGenerators;

export const artifactKinds = Object.keys(builtInGenerators) as readonly ArtifactKind[];
