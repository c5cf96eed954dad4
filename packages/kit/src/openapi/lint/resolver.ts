import path from "node:path";
import { BaseResolver, ResolveError, Source, type Document } from "@redocly/openapi-core/lib/resolve.js";
import type { Overlays } from "../overlays/overlays.js";
import { ensureInside, type Boundary } from "../read/boundary.js";
import { isNotRelative, readSource } from "../read/source.js";
import { isYamlOrJson, type SourceFile } from "../read/spec-node.js";

/** Supplies Redocly with the files that all other code reads, parsed the same way. Never uses the network. */
export class FileResolver extends BaseResolver {
  /** The files read so far, by absolute path. */
  readonly files: Map<string, SourceFile> = new Map();
  /** Why other files could not be read, by absolute path. */
  readonly unreadable: Map<string, Error> = new Map();
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
    if (base !== null && isNotRelative(reference)) throw new ResolveError(new Error("it is not a relative path"));
    if (base !== null && !isYamlOrJson(reference))
      throw new ResolveError(new Error("only .yaml, .yml and .json files are read"));
    const file = path.resolve(base === null ? "" : path.dirname(base), reference);
    const document = this.cache.get(file) ?? this.#document(file, base === null ? undefined : this.#boundary);
    this.cache.set(file, document);
    return document as Promise<Document<T> | ResolveError>;
  }

  async #document(file: string, boundary: Boundary): Promise<Document> {
    try {
      await ensureInside(file, boundary, this.#folder);
      const { text, value } = await this.read(file);
      return { source: new Source(file, text), parsed: value };
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      this.unreadable.set(file, cause);
      throw new ResolveError(cause);
    }
  }
}
