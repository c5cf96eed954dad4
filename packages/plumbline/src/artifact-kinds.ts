/** The built-in artifacts, and the packages of their generators. A package loads on first use. */
export const builtInGenerators = {
  client: "@plumbline/generators/client",
  validator: "@plumbline/generators/validator",
  server: "@plumbline/generators/server",
  conformance: "@plumbline/generators/conformance",
  types: "@plumbline/generators/types",
  mcp: "@plumbline/generators/mcp",
  mock: "@plumbline/generators/mock",
  handlers: "@plumbline/generators/handlers",
  site: "@plumbline/site",
  description: "@plumbline/generators/description",
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
