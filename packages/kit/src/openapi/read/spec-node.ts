import { isJsonObject, type SourceLocation, type SourceRef, type Diagnostic } from "../../model/index.js";
import { hasVocabularyForm, isExtensionFieldName } from "../lint/vocabulary.js";

/** A file of the description: its value, and the locations of its nodes. */
export interface SourceFile {
  /** Absolute path. */
  readonly path: string;
  /** Path relative to the folder of the root file, with forward slashes. */
  readonly name: string;
  readonly text: string;
  readonly value: unknown;
  /**
   * Returns the line and column, counted from 1, of the node at these unescaped pointer tokens, or of its key if it has
   * one. Also returns the file
   * and pointer if overlays changed this file.
   */
  readonly locate: (tokens: readonly string[]) => Pick<SourceLocation, "line" | "column"> & Partial<SourceRef>;
  /** What YAML 1.2 forbids in the text, and most parsers read. */
  readonly warnings?: readonly Diagnostic[] | undefined;
  /** Set if overlays, or the defaults of operations, changed this file. */
  readonly overlays?: OverlaySources;
  /** Set for a Swagger 2.0 file. Its value is OpenAPI 3.0. */
  readonly swagger?: SwaggerConversion;
}

/** How a Swagger 2.0 file was converted to OpenAPI 3.0. */
export interface SwaggerConversion {
  /** What OpenAPI 3.0 cannot express. */
  readonly losses: readonly { readonly origin: SourceLocation; readonly message: string }[];
}

export interface OverlaySources {
  /** Absolute paths of the overlays, in the order of their application, and of a root with `x-defaults`. */
  readonly by: readonly string[];
  /** Returns the source of the node at these tokens, which may be in an overlay. */
  readonly sourceOf: (tokens: readonly string[]) => SourceRef;
}

/** Finds the file that a reference names, relative to another file. */
export type FindSourceFile = (from: SourceFile, reference: string) => SourceFile | undefined;

/** How references are resolved, and how unresolved ones are reported. */
export interface NodeContext {
  readonly find: FindSourceFile;
  /** Returns why a file is excluded, as the end of a sentence. */
  readonly excluded?: (from: SourceFile, reference: string) => string | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Reports a dispensable reference to nothing. Default: `report`. */
  readonly reportDangling?: (diagnostic: Diagnostic) => void;
  /** The entries of the root's `x-assumptions`, by id. */
  readonly assumptions?: ReadonlyMap<string, SpecNode>;
}

/** The step from a node to its child. */
interface NodeStep {
  readonly parent: SpecNode;
  readonly token: string;
}

/** What the nodes of one description share. */
interface SharedContext extends NodeContext {
  /** The targets of references, by file and pointer. Many references have the same target. */
  readonly targets: Map<string, SpecNode>;
}

/** A node of the description, with its location. `get` follows references, `child` does not. */
export class SpecNode {
  readonly file: SourceFile;
  /** The value of the node. A reference is not followed. */
  readonly raw: unknown;
  readonly #parent: SpecNode | undefined;
  readonly #token: string;
  readonly #context: SharedContext;
  #pointer: string | undefined;

  private constructor(file: SourceFile, raw: unknown, context: SharedContext, step: NodeStep | undefined) {
    this.file = file;
    this.raw = raw;
    this.#context = context;
    this.#parent = step?.parent;
    this.#token = step?.token ?? "";
  }

  /** Returns the root node of a file. */
  static root(file: SourceFile, context: NodeContext): SpecNode {
    return new SpecNode(file, file.value, { ...context, targets: new Map() }, undefined);
  }

  /** The unescaped pointer tokens of the node. */
  get tokens(): readonly string[] {
    return this.#parent === undefined ? [] : [...this.#parent.tokens, this.#token];
  }

  /** The RFC 6901 pointer in the file. Empty for the root. */
  get pointer(): string {
    this.#pointer ??= this.#parent === undefined ? "" : `${this.#parent.pointer}/${escapeToken(this.#token)}`;
    return this.#pointer;
  }

  get origin(): SourceRef {
    return { file: this.file.name, pointer: this.pointer };
  }

  get located(): SourceLocation {
    return { ...this.origin, ...this.file.locate(this.tokens) };
  }

  /** A key that is the same for the same node, regardless of the path to it. */
  get key(): string {
    return `${this.file.name}#${this.pointer}`;
  }

  /** The name of the node: its last pointer token, or the file name without its extension for the root. */
  get name(): string {
    return this.#parent === undefined ? this.file.name.replace(/^.*\/|\.[^./]*$/g, "") : this.#token;
  }

  get object(): Readonly<Record<string, unknown>> {
    return isJsonObject(this.raw) ? this.raw : {};
  }

  get reference(): string | undefined {
    return this.text("$ref");
  }

  /** Whether the node has a key. Extension fields of other vendors, which have other forms, do not count. */
  has(key: string): boolean {
    if (!isJsonObject(this.raw) || !Object.hasOwn(this.raw, key)) return false;
    return !isExtensionFieldName(key) || hasVocabularyForm(key, this.raw[key]);
  }

  /** Returns the child without following references, or `undefined` if there is none. */
  child(key: string | number): SpecNode | undefined {
    const name = String(key);
    if (Array.isArray(this.raw)) {
      const index = Number(name);
      return index in this.raw ? this.#at(name, this.raw[index]) : undefined;
    }
    return this.has(name) ? this.#at(name, this.object[name]) : undefined;
  }

  /** Returns the child with references followed, or `undefined` if there is none. */
  get(key: string | number): SpecNode | undefined {
    return this.child(key)?.follow();
  }

  /** Returns the entries of an object, without following references. */
  entries(): readonly (readonly [string, SpecNode])[] {
    return Object.keys(this.object).map((key) => [key, this.#at(key, this.object[key])] as const);
  }

  /** Returns the items of an array, without following references. */
  items(): readonly SpecNode[] {
    return Array.isArray(this.raw) ? this.raw.map((item, index) => this.#at(String(index), item)) : [];
  }

  text(key: string): string | undefined {
    const value = this.#value(key);
    return typeof value === "string" ? value : undefined;
  }

  number(key: string): number | undefined {
    const value = this.#value(key);
    return typeof value === "number" ? value : undefined;
  }

  isTrue(key: string): boolean {
    return this.#value(key) === true;
  }

  #value(key: string): unknown {
    return isJsonObject(this.raw) && Object.hasOwn(this.raw, key) ? this.raw[key] : undefined;
  }

  /** Returns the node at the end of a chain of references. Reports an unresolved reference and returns `undefined`. */
  follow(): SpecNode | undefined {
    if (this.reference === undefined) return this;
    const visited = new Set<string>([this.key]);
    let here = this.target();
    while (here?.reference !== undefined) {
      if (visited.has(here.key)) {
        return this.#reportUnresolved(
          `The reference "${this.reference}" leads back to itself.`,
          "Point it at a definition.",
        );
      }
      visited.add(here.key);
      here = here.target();
    }
    return here;
  }

  /** Follows a single reference. */
  target(): SpecNode | undefined {
    const reference = this.reference;
    if (reference === undefined) return this;
    const hash = reference.indexOf("#");
    const fileName = hash < 0 ? reference : reference.slice(0, hash);
    const pointer = hash < 0 ? "" : reference.slice(hash + 1);
    const file = fileName === "" ? this.file : this.#context.find(this.file, fileName);
    if (file === undefined) {
      const excluded = this.#context.excluded?.(this.file, fileName);
      if (excluded !== undefined)
        return this.#reportUnresolved(
          `The reference "${reference}" is not followed: ${excluded}.`,
          "Move the file into the folder.",
        );
      const remote = /^[a-z][a-z0-9+.-]*:/i.test(fileName);
      const [what, fix] = remote
        ? ["something outside this machine", "Save it beside the description and refer to the file."]
        : isYamlOrJson(fileName)
          ? ["a file that cannot be read", "Correct the path, which is relative to this file."]
          : ["no file of a description", "Refer to a file that ends in .yaml, .yml or .json."];
      return this.#reportUnresolved(`The reference "${reference}" names ${what}.`, fix);
    }
    const cached = this.#context.targets.get(`${file.path}#${pointer}`);
    if (cached !== undefined) return cached;
    const tokens = parsePointer(pointer);
    if (tokens === undefined) {
      return this.#reportUnresolved(
        `The reference "${reference}" has no JSON pointer after the #.`,
        "Write #/ and the keys that lead to it.",
      );
    }
    let target = new SpecNode(file, file.value, this.#context, undefined);
    for (const token of tokens) {
      const next = Array.isArray(target.raw) && !/^\d+$/.test(token) ? undefined : target.child(token);
      if (next === undefined) return this.#reportMissing(reference, token);
      target = next;
    }
    this.#context.targets.set(`${file.path}#${pointer}`, target);
    return target;
  }

  /** Returns an assumption of the description by its id. */
  assumption(id: string): SpecNode | undefined {
    return this.#context.assumptions?.get(id);
  }

  /** Returns a node with another value at the same location. */
  withValue(raw: unknown): SpecNode {
    const step = this.#parent && { parent: this.#parent, token: this.#token };
    return new SpecNode(this.file, raw, this.#context, step);
  }

  /** Reports a diagnostic at this node. */
  report(code: string, message: string, fix?: string): void {
    this.#context.report({
      code,
      severity: "error",
      origin: this.located,
      message,
      ...(fix === undefined ? {} : { fix }),
    });
  }

  /** Reports a warning at this node. */
  warn(code: string, message: string, fix: string): void {
    this.#context.report({ code, severity: "warning", origin: this.located, message, fix });
  }

  #at(key: string, raw: unknown): SpecNode {
    return new SpecNode(this.file, raw, this.#context, { parent: this, token: key });
  }

  #reportUnresolved(message: string, fix: string, report = this.#context.report): undefined {
    report({ code: "openapi/no-unresolved-refs", severity: "error", origin: this.located, message, fix });
    return undefined;
  }

  #reportMissing(reference: string, token: string): undefined {
    const { report, reportDangling = report } = this.#context;
    const what =
      this.file.swagger === undefined
        ? `"${reference}" names nothing: there is no "${token}"`
        : `"${swaggerReference(reference)}" names nothing`;
    return this.#reportUnresolved(
      `The reference ${what}.`,
      "Correct the reference, or define it.",
      isDispensableReference(reference) ? reportDangling : report,
    );
  }
}

/** True for a reference without whose target all else can be generated: to a schema, an example, a header or a link. */
export function isDispensableReference(reference: string): boolean {
  return /#\/(components\/(schemas|examples|headers|links)|definitions|\$defs)\//.test(reference);
}

/** Writes a reference of a converted description as in the Swagger 2.0 file. */
function swaggerReference(reference: string): string {
  return reference.replace(
    /^#\/components\/(?:(parameters|responses)|schemas)\//,
    (_, kind = "definitions") => `#/${kind}/`,
  );
}

/** True for the name of a file that may be part of a description. */
export function isYamlOrJson(file: string): boolean {
  return /\.(ya?ml|json)$/.test(file);
}

export function escapeToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Formats tokens as an RFC 6901 pointer. */
export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join("");
}

/** Parses an RFC 6901 pointer, also in URI fragment form. Returns `undefined` for any other text. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((token) => unescapeUri(token).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Decodes percent-encoding. Returns an invalid text unchanged. */
export function unescapeUri(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
