import path from "node:path";
import { BaseResolver, ResolveError, Source, YamlParseError, type Document } from "@redocly/openapi-core";
import { DiagnosticsError } from "@plumbline/model";
import { ensureInside, type Boundary } from "../read/boundary.js";
import type { Overlays } from "../overlays/overlays.js";
import type { SourceFile } from "../read/spec-node.js";
import { isNotRelative, isYamlOrJson, readSource } from "../read/source.js";

/** Supplies Redocly with the files that all other code reads, parsed the same way. Never uses the network. */
export class FileResolver extends BaseResolver {
  /** The files read so far, by absolute path. */
  readonly files: Map<string, SourceFile> = new Map();
  readonly #folder: string;
  readonly #overlays: Pick<Overlays, "apply">;
  readonly #boundary: Boundary;

  constructor(folder: string, overlays: Pick<Overlays, "apply">, boundary?: Boundary) {
    super();
    this.#folder = folder;
    this.#overlays = overlays;
    this.#boundary = boundary;
  }

  /**
   * Reads a file.
   * @throws A DiagnosticsError for a syntax error, or the error of the file system.
   */
  async read(file: string): Promise<SourceFile> {
    const read = this.files.get(file) ?? this.#overlays.apply(await readSource(file, this.#folder));
    this.files.set(file, read);
    return read;
  }

  override async resolveDocument<T>(base: string | null, reference: string): Promise<Document<T> | ResolveError> {
    if (base !== null && isNotRelative(reference))
      throw resolveError("it is not a relative path; save the file beside the description");
    if (base !== null && !isYamlOrJson(reference)) throw resolveError("only .yaml, .yml and .json files are read");
    const file = path.resolve(base === null ? "" : path.dirname(base), reference);
    const known = this.cache.get(file) ?? this.#document(file, base === null ? undefined : this.#boundary);
    this.cache.set(file, known);
    return known as Promise<Document<T> | ResolveError>;
  }

  async #document(file: string, boundary: Boundary): Promise<Document> {
    try {
      await ensureInside(file, boundary, this.#folder);
      const { text, value } = await this.read(file);
      return { source: new Source(file, text), parsed: value };
    } catch (error) {
      const [diagnostic] = error instanceof DiagnosticsError ? error.diagnostics : [];
      if (diagnostic === undefined) throw resolveError(error instanceof Error ? error.message : String(error));
      const { message, origin } = diagnostic;
      throw new YamlParseError(new Error(`${message} (${origin.line}:${origin.column})`), new Source(file, ""));
    }
  }
}

function resolveError(reason: string): ResolveError {
  return new ResolveError(new Error(reason));
}
