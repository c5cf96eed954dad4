import type { Location, UserContext } from "@redocly/openapi-core";

type Resolve = UserContext["resolve"];

/** A node that Redocly reads and where it stands; the plugin's counterpart of a Place. */
export class Spot {
  /** As written; a reference is not followed here. */
  readonly value: unknown;
  readonly location: Location;
  readonly #resolve: Resolve;

  constructor(value: unknown, location: Location, resolve: Resolve) {
    this.value = value;
    this.location = location;
    this.#resolve = resolve;
  }

  /** The same for the same node, however it was reached. */
  get key(): string {
    return this.location.absolutePointer;
  }

  get object(): Readonly<Record<string, unknown>> {
    return isRecord(this.value) ? this.value : {};
  }

  has(key: string): boolean {
    return Object.hasOwn(this.object, key);
  }

  /** The child as it stands, or undefined when there is none. */
  child(key: string | number): Spot | undefined {
    const own =
      isRecord(this.value) || Array.isArray(this.value)
        ? Object.getOwnPropertyDescriptor(this.value, String(key))
        : undefined;
    return own && new Spot(own.value, this.location.child(key), this.#resolve);
  }

  /** The descendant at these keys as it stands; the nearest ancestor that is there when it is not. */
  at(path: readonly string[]): Spot {
    const [key, ...rest] = path;
    const next = key === undefined ? undefined : this.child(key);
    return next === undefined ? this : next.at(rest);
  }

  /** The child with references followed. */
  get(key: string | number): Spot | undefined {
    return this.child(key)?.follow();
  }

  entries(): readonly (readonly [string, Spot])[] {
    return Object.keys(this.object).flatMap((key) => {
      const child = this.child(key);
      return child ? [[key, child] as const] : [];
    });
  }

  items(): readonly Spot[] {
    if (!Array.isArray(this.value)) return [];
    return this.value.map((item: unknown, index) => new Spot(item, this.location.child(index), this.#resolve));
  }

  get reference(): string | undefined {
    const reference = this.object["$ref"];
    return typeof reference === "string" ? reference : undefined;
  }

  /** The node at the end of a chain of references; undefined when it leads nowhere, which Redocly reports. */
  follow(): Spot | undefined {
    return this.hops().at(-1);
  }

  /** This node, each reference on the way that says more than $ref, and the node at the end. */
  hops(): readonly Spot[] {
    if (this.reference === undefined) return [this];
    const {
      node,
      location,
      chain = [],
    } = this.#resolve<object>({ $ref: this.reference }, this.location.source.absoluteRef);
    if (node === undefined || location === undefined) return [];
    const between = chain.map((hop) => new Spot(hop.node, hop.location, this.#resolve));
    return [this, ...between, new Spot(node, location, this.#resolve)];
  }

  /** A node that is not written anywhere, read as if it stood here. */
  pretend(value: unknown): Spot {
    return new Spot(value, this.location, this.#resolve);
  }

  text(key: string): string | undefined {
    const value = this.has(key) ? this.object[key] : undefined;
    return typeof value === "string" ? value : undefined;
  }

  /** What stands under the key here or where the references lead. */
  read(key: string): Spot | undefined {
    return this.hops()
      .map((hop) => hop.child(key))
      .find((found) => found !== undefined);
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
