import path from "node:path";
import { noCache, type Cache } from "./cache.js";
import type { ArtifactConfig } from "../config/config.js";
import type { GeneratedFile } from "../../../codegen/src/files.js";
import type { ArtifactOptions } from "../../../codegen/src/generator.js";
import { generatorIdentity } from "./generator-identity.js";
import { sha256Hex } from "../../../openapi/src/read/recorded-inputs.js";
import type { Api } from "../../../model/src/api.js";
import { memoize } from "../../../model/src/incremental/memoize.js";
import type { SourceLocation } from "../../../model/src/diagnostic.js";
import type { Description } from "../../../openapi/src/read/load.js";

interface CachedGeneration {
  readonly artifact: ArtifactConfig;
  readonly cache: Cache;
  readonly options: ArtifactOptions;
  readonly generate: (options: ArtifactOptions) => Promise<readonly GeneratedFile[]>;
}

/**
 * Returns the files of an artifact from the cache where all of their inputs are unchanged, including the lines of the description that they
 * mention. Custom generators may have unknown inputs, so their files are never cached.
 */
export async function generateWithCache(
  { description, api }: { readonly description: Description; readonly api: Api },
  { artifact, cache, options, generate }: CachedGeneration,
): Promise<readonly GeneratedFile[]> {
  if (cache === noCache || artifact.generator !== undefined) return generate(options);
  const { conformance, package: name, private: isPrivate } = options;
  const { folder, files: read, overlays } = description;
  // With overlays, nodes of the same model may have other positions.
  const written = overlays.length === 0 ? [] : [...overlays, ...read].map(({ text }) => text);
  const said = [
    await generatorIdentity(),
    artifact,
    name,
    isPrivate,
    path.basename(folder),
    hashPart(conformance),
    written,
  ];
  const key = sha256Hex(`${JSON.stringify(said)}\n${modelFingerprint(api)}`);
  const known = (await cache.get(key)) as CacheEntry | undefined;
  if (known?.locations.every((each) => isSamePosition(options.locate(each), each)) === true) return known.files;
  const lines = new Map<string, SourceLocation>();
  const locate: ArtifactOptions["locate"] = (origin) => {
    const located = options.locate(origin);
    lines.set(`${origin.file}#${origin.pointer}`, located);
    return located;
  };
  const files = await generate({ ...options, locate });
  await cache.put(key, { files, locations: [...lines.values()] } satisfies CacheEntry);
  return files;
}

/** Files, and the positions of the description that they mention. */
interface CacheEntry {
  readonly files: readonly GeneratedFile[];
  readonly locations: readonly SourceLocation[];
}

function isSamePosition(one: SourceLocation, other: SourceLocation): boolean {
  return one.line === other.line && one.column === other.column;
}

/** Hashes the model by parts, so that unchanged parts are not serialized again. */
const modelFingerprint = memoize((api) => {
  const parts = Object.entries(api).map(([key, value]: [string, unknown]) => {
    const hashes = Array.isArray(value) ? value.map(hashPart) : [hashPart(value)];
    return [key, ...hashes];
  });
  return sha256Hex(JSON.stringify(parts));
});

const partHashes = new WeakMap<object, string>();

function hashPart(part: unknown): string {
  if (typeof part !== "object" || part === null) return JSON.stringify(part ?? null);
  const hash = partHashes.get(part) ?? sha256Hex(JSON.stringify(part));
  partHashes.set(part, hash);
  return hash;
}
