import path from "node:path";
import { noCache, type Cache } from "./cache.js";
import type { ArtifactConfig } from "./config.js";
import type { GeneratedFile } from "./emit/files.js";
import type { ArtifactOptions } from "./generator.js";
import { identity } from "./identity.js";
import { hashOf } from "./inputs.js";
import type { Api } from "./model/api.js";
import { once } from "./model/once.js";
import type { Located } from "./problem.js";
import type { Description } from "./spec/load.js";

interface MakingFiles {
  readonly artifact: ArtifactConfig;
  readonly cache: Cache;
  readonly options: ArtifactOptions;
  readonly make: (options: ArtifactOptions) => Promise<readonly GeneratedFile[]>;
}

/**
 * Returns the files of an artifact from the cache where all of their inputs are unchanged, including the lines of the description that they
 * mention. Custom generators may have unknown inputs, so their files are never cached.
 */
export async function keptFiles(
  { description, api }: { readonly description: Description; readonly api: Api },
  { artifact, cache, options, make }: MakingFiles,
): Promise<readonly GeneratedFile[]> {
  if (cache === noCache || artifact.generator !== undefined) return make(options);
  const { conformance, package: name, private: isPrivate } = options;
  const { folder, files: read, overlays } = description;
  // With overlays, nodes of the same model may have other positions.
  const written = overlays.length === 0 ? [] : [...overlays, ...read].map(({ text }) => text);
  const said = [await identity(), artifact, name, isPrivate, path.basename(folder), hashOfPart(conformance), written];
  const key = hashOf(`${JSON.stringify(said)}\n${fingerprintOf(api)}`);
  const known = (await cache.get(key)) as Kept | undefined;
  if (known?.lines.every((each) => isSamePlace(options.locate(each), each)) === true) return known.files;
  const lines = new Map<string, Located>();
  const locate: ArtifactOptions["locate"] = (origin) => {
    const located = options.locate(origin);
    lines.set(`${origin.file}#${origin.pointer}`, located);
    return located;
  };
  const files = await make({ ...options, locate });
  await cache.put(key, { files, lines: [...lines.values()] } satisfies Kept);
  return files;
}

/** Files, and the positions of the description that they mention. */
interface Kept {
  readonly files: readonly GeneratedFile[];
  readonly lines: readonly Located[];
}

function isSamePlace(one: Located, other: Located): boolean {
  return one.line === other.line && one.column === other.column;
}

/** Hashes the model by parts, so that unchanged parts are not serialized again. */
const fingerprintOf = once((api) => {
  const parts = Object.entries(api).map(([key, value]: [string, unknown]) => {
    const hashes = Array.isArray(value) ? value.map(hashOfPart) : [hashOfPart(value)];
    return [key, ...hashes];
  });
  return hashOf(JSON.stringify(parts));
});

const hashes = new WeakMap<object, string>();

function hashOfPart(part: unknown): string {
  if (typeof part !== "object" || part === null) return JSON.stringify(part ?? null);
  const hash = hashes.get(part) ?? hashOf(JSON.stringify(part));
  hashes.set(part, hash);
  return hash;
}
