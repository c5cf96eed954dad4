import { isJsonObject } from "../../model/index.js";

// The parts of Redocly's types that rules need. The types of this package name no type of Redocly, which is not installed with it.

/** A location in a file. */
export interface LintLocation {
  readonly source: LintSource;
  readonly pointer: string;
  readonly absolutePointer: string;
  readonly child: (key: string | number) => LintLocation;
}

/** A file, by its absolute path. */
export interface LintSource {
  readonly absoluteRef: string;
}

/** Resolves a reference in a file. */
type Resolve = (node: { readonly $ref: string }, file: string) => Resolution;

interface Resolution {
  readonly node?: unknown;
  readonly location?: LintLocation | undefined;
  /** The references on the way. */
  readonly chain?: readonly { readonly node: unknown; readonly location: LintLocation }[] | undefined;
}

/** A node as Redocly visits it, with its location. The plugin's counterpart of Place. */
export class LintNode {
  /** The value of the node. A reference is not followed. */
  readonly value: unknown;
  readonly location: LintLocation;
  readonly #resolve: Resolve;

  constructor(value: unknown, location: LintLocation, resolve: Resolve) {
    this.value = value;
    this.location = location;
    this.#resolve = resolve;
  }

  /** A key that is the same for the same node, regardless of the path to it. */
  get key(): string {
    return this.location.absolutePointer;
  }

  get object(): Readonly<Record<string, unknown>> {
    return isJsonObject(this.value) ? this.value : {};
  }

  has(key: string): boolean {
    return Object.hasOwn(this.object, key);
  }

  /** Returns the child without following references, or `undefined` if there is none. */
  child(key: string | number): LintNode | undefined {
    const property =
      isJsonObject(this.value) || Array.isArray(this.value)
        ? Object.getOwnPropertyDescriptor(this.value, String(key))
        : undefined;
    return property && new LintNode(property.value, this.location.child(key), this.#resolve);
  }

  /** Returns the descendant at these keys, or its nearest existing ancestor. */
  at(path: readonly string[]): LintNode {
    const [key, ...rest] = path;
    const next = key === undefined ? undefined : this.child(key);
    return next === undefined ? this : next.at(rest);
  }

  /** Returns the child with references followed. */
  get(key: string | number): LintNode | undefined {
    return this.child(key)?.follow();
  }

  entries(): readonly (readonly [string, LintNode])[] {
    return Object.keys(this.object).flatMap((key) => {
      const child = this.child(key);
      return child ? [[key, child] as const] : [];
    });
  }

  items(): readonly LintNode[] {
    if (!Array.isArray(this.value)) return [];
    return this.value.map((item: unknown, index) => new LintNode(item, this.location.child(index), this.#resolve));
  }

  get reference(): string | undefined {
    const reference = this.object["$ref"];
    return typeof reference === "string" ? reference : undefined;
  }

  /** Returns the node at the end of a chain of references, or `undefined` if it does not resolve, which Redocly reports. */
  follow(): LintNode | undefined {
    return this.resolutionChain().at(-1);
  }

  /** Returns this node, each reference on the way that has other keys than $ref, and the node at the end. */
  resolutionChain(): readonly LintNode[] {
    if (this.reference === undefined) return [this];
    const { node, location, chain = [] } = this.#resolve({ $ref: this.reference }, this.location.source.absoluteRef);
    if (node === undefined || location === undefined) return [];
    const between = chain.map((hop) => new LintNode(hop.node, hop.location, this.#resolve));
    return [this, ...between, new LintNode(node, location, this.#resolve)];
  }

  /** Returns a node with another value at the same location. */
  withValue(value: unknown): LintNode {
    return new LintNode(value, this.location, this.#resolve);
  }

  text(key: string): string | undefined {
    const value = this.has(key) ? this.object[key] : undefined;
    return typeof value === "string" ? value : undefined;
  }

  /** Returns the child here, or along the chain of references. */
  read(key: string): LintNode | undefined {
    return this.resolutionChain()
      .map((hop) => hop.child(key))
      .find((node) => node !== undefined);
  }
}
