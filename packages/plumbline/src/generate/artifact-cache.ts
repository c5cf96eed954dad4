import type { GeneratedFile } from "@plumbline/kit/codegen";
import { memoize, type Diagnostic, type SourceLocation } from "@plumbline/kit/model";
import type { Description } from "@plumbline/kit/openapi";
import { sha256Hex, sourceFolder } from "@plumbline/kit/openapi/files";
import type { ArtifactConfig } from "../config/config.js";
import { noCache, type Cache } from "../incremental/cache.js";
import { generatorIdentity } from "../incremental/generator-identity.js";
import type { ArtifactInput } from "./artifact-input.js";

interface CachedGeneration {
  readonly artifact: ArtifactConfig;
  readonly cache: Cache;
  readonly input: ArtifactInput;
  readonly generate: (input: ArtifactInput) => Promise<GeneratedContents>;
}

/** The files of an artifact, and the warnings of its generator. */
export interface GeneratedContents {
  readonly files: readonly GeneratedFile[];
  readonly warnings: readonly Diagnostic[];
}

/**
 * Returns the files of an artifact from the cache where all of their inputs are unchanged, including the lines of the description that they
 * mention. Generators in plumbline.yaml may have unknown inputs, so their files are never cached.
 */
export async function generateWithCache(
  { description }: { readonly description: Description },
  { artifact, cache, input, generate }: CachedGeneration,
): Promise<GeneratedContents> {
  if (cache === noCache || artifact.generator !== undefined) return generate(input);
  const { api, options } = input;
  const { folder, files: read, overlays } = description;
  const texts = [...overlays, ...read].map(({ text }) => text);
  // With overlays, nodes of the same model may have other positions.
  const written = overlays.length === 0 ? [] : texts;
  const keyParts = [
    await generatorIdentity(),
    artifact,
    options.package,
    options.private,
    sourceFolder(folder),
    hashPart(options.input),
    hashPart(options.artifacts),
    written,
  ];
  const key = sha256Hex(`${JSON.stringify(keyParts)}\n${modelFingerprint(api)}`);
  const cached = (await cache.get(key)) as CacheEntry | undefined;
  if (cached !== undefined && isCurrent(cached)) return cached;
  const lines = new Map<string, SourceLocation>();
  let usesDocument = false;
  const contents = await generate({
    ...input,
    options: {
      ...options,
      locate: (origin) => {
        const located = options.locate(origin);
        lines.set(`${origin.file}#${origin.pointer}`, located);
        return located;
      },
      document: () => {
        usesDocument = true;
        return options.document();
      },
    },
  });
  const document = usesDocument ? { document: sha256Hex(JSON.stringify(texts)) } : {};
  await cache.put(key, { ...contents, locations: [...lines.values()], ...document } satisfies CacheEntry);
  return contents;

  function isCurrent({ locations, document: hash }: CacheEntry): boolean {
    return (
      locations.every((each) => isSamePosition(options.locate(each), each)) &&
      (hash === undefined || hash === sha256Hex(JSON.stringify(texts)))
    );
  }
}

/** Files, and the positions of the description that they mention. */
interface CacheEntry extends GeneratedContents {
  readonly locations: readonly SourceLocation[];
  /** The hash of all texts of the description, for generators that use the document. */
  readonly document?: string;
}

function isSamePosition(one: SourceLocation, other: SourceLocation): boolean {
  return one.line === other.line && one.column === other.column;
}

/** Hashes the model by parts: as one text, a large model would exceed the longest string of JavaScript. */
const modelFingerprint = memoize((api) => {
  const parts = Object.entries(api).map(([key, value]: [string, unknown]) => {
    const hashes = Array.isArray(value) ? value.map(hashPart) : [hashPart(value)];
    return [key, ...hashes];
  });
  return sha256Hex(JSON.stringify(parts));
});

function hashPart(part: unknown): string {
  return sha256Hex(JSON.stringify(part ?? null));
}
