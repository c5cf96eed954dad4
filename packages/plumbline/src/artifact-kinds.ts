/** The built-in artifacts, and the packages of their generators. A package loads on first use. */
export const builtInGenerators = {
  client: "@plumbline/generator-client",
  validator: "@plumbline/generator-validator",
  server: "@plumbline/generator-server",
  conformance: "@plumbline/generator-conformance",
  types: "@plumbline/generator-types",
  mcp: "@plumbline/generator-mcp",
  mock: "@plumbline/generator-mock",
  handlers: "@plumbline/generator-handlers",
  site: "@plumbline/generator-site",
  description: "@plumbline/generator-description",
} as const;

export type ArtifactKind = keyof typeof builtInGenerators;

/** The artifacts whose generators only their users install, because they come with large libraries. */
export const optionalArtifacts: readonly ArtifactKind[] = ["site"];

/** The artifacts that take longest: a run generates them last. */
export const slowArtifacts: readonly ArtifactKind[] = ["conformance", "site", "description"];

export const artifactKinds = Object.keys(builtInGenerators) as readonly ArtifactKind[];

/**
 * The artifacts of a description without plumbline.yaml, where none are named. The types of a client are in the client, too. Not every API is
 * for models, and a mock belongs to a server. Handlers belong to their authors, and a site has a generator of its own to install. The description
 * is there already.
 */
export const usualArtifacts: readonly ArtifactKind[] = artifactKinds.filter(
  (kind) => !["types", "mcp", "mock", "handlers", "site", "description"].includes(kind),
);
