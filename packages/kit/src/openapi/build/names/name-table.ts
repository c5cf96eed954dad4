import type { SpecNode } from "../../read/spec-node.js";

/** What the names of one namespace are for. */
export interface NameKind {
  /** What has the names, as a word that a name can be made with. */
  readonly noun: "operation" | "schema";
  /** What they are called in diagnostics. */
  readonly name: "operation" | "type";
  readonly derive: (key: string) => string | undefined;
  readonly isReserved: (name: string) => boolean;
  /** Returns a name for one of several places with the same key, or "" if its own key gives none. */
  readonly byOwnKey: (request: NameRequest) => string;
}

/** A place that needs a name. */
export interface NameRequest {
  readonly place: SpecNode;
  /** An operationId, or the name of a schema. */
  readonly key: string;
  /** A key that no other place has: `get /path`, or `file#pointer`. */
  readonly ownKey: string;
  /** Of two places with the same key, the main one keeps the name. */
  readonly isMain: boolean;
  /** Why `key` is not what the description says, as the end of a sentence. */
  readonly reason?: string | undefined;
}

/** Resolves the names of one namespace. */
export interface NameResolver {
  readonly resolve: (request: NameRequest) => string;
  /** Returns true if all resolved names are final. Otherwise the places have to be read again. */
  readonly settle: () => boolean;
  /** Reports the names that were chosen. */
  readonly report: () => void;
}

/** Reads with final names. */
export function readWithNames<T>(names: NameResolver, read: () => T): T {
  let result = read();
  while (!names.settle()) result = read();
  names.report();
  return result;
}

/**
 * Resolves names strictly: the configured name, `x-name`, or the derived name. Collisions are reported, never resolved by numbering.
 */
export class NameTable implements NameResolver {
  readonly #used = new Map<string, { readonly name: string; readonly place: SpecNode }>();
  readonly #kind: NameKind;
  readonly #configured: Readonly<Record<string, string>>;
  readonly #isConfigured: boolean;

  /**
   * `configured` has the names of plumbline.yaml for a description that cannot be edited: by key, or by `file#pointer` if
   * keys are ambiguous.
   */
  constructor(kind: NameKind, configured: Readonly<Record<string, string>>) {
    this.#kind = kind;
    this.#configured = configured;
    this.#isConfigured = Object.keys(configured).length > 0;
  }

  resolve({ place, key }: NameRequest): string {
    const configured = this.#isConfigured ? (this.#configuredName(place.key) ?? this.#configuredName(key)) : undefined;
    const chosen = configured ?? place.text("x-name");
    const name = chosen ?? this.#kind.derive(key);
    const fix =
      chosen === undefined
        ? 'Add "x-name" beside it, or an entry under "names" in plumbline.yaml.'
        : "Choose another name.";
    if (name === undefined || !isUsableName(name)) {
      place.report("names/unusable", describeUnusable(this.#kind, chosen ?? key), fix);
      return `unnamed${this.#used.size}`;
    }
    if (this.#kind.isReserved(name)) {
      place.report("names/reserved", describeReserved(this.#kind, name), fix);
      return name;
    }
    const earlier = this.#used.get(name.toLowerCase());
    if (earlier !== undefined) {
      const { file, line } = earlier.place.located;
      place.report(
        "names/collision",
        `The ${this.#kind.name} name "${shortenName(name)}" collides with "${shortenName(earlier.name)}" at ${file}:${line}.`,
        fix,
      );
      return name;
    }
    this.#used.set(name.toLowerCase(), { name, place });
    return name;
  }

  settle(): boolean {
    return true;
  }

  report(): void {}

  #configuredName(key: string): string | undefined {
    return Object.hasOwn(this.#configured, key) ? this.#configured[key] : undefined;
  }
}

/** True for what can be an identifier of generated code. */
export function isUsableName(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name);
}

export function describeUnusable(kind: NameKind, key: string): string {
  return `No ${kind.name} name can be made of ${JSON.stringify(shortenName(key))}.`;
}

export function describeReserved(kind: NameKind, name: string): string {
  return `The ${kind.name} name "${shortenName(name)}" is taken by the language or by generated code.`;
}

/** Shortens a name for a message. */
export function shortenName(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
