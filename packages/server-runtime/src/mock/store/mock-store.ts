import type { StoredObject } from "./stored-object.js";

/** The error above the maximum number of objects. */
export class MockCapacityError extends Error {
  override readonly name = "MockCapacityError";

  constructor(maximum: number) {
    super(`The mock holds ${maximum} objects, its maximum. Delete some, reset it, or raise the option \`maxObjects\`.`);
  }
}

/** The content of a store. */
export interface StoreSnapshot {
  readonly objects: readonly StoredObject[];
  readonly documents: readonly (readonly [string, unknown])[];
  readonly lastKey: number;
}

/** The objects of a mock, in memory. Changes of a failed operation are undone. */
export class MockStore {
  readonly #maximum: number;
  readonly #identify: (object: StoredObject) => unknown;
  readonly #objects = new Map<number, StoredObject>();
  readonly #byResource = new Map<string, Map<number, StoredObject>>();
  readonly #byIdentifier = new Map<string, Map<unknown, Set<number>>>();
  /** What operations read beside objects, such as a rendered file. */
  readonly #documents = new Map<string, unknown>();
  #lastKey = 0;
  #undo: (() => void)[] | undefined;

  /** @param identify - Returns the value that identifies an object in paths. */
  constructor(maximum: number, identify: (object: StoredObject) => unknown) {
    this.#maximum = maximum;
    this.#identify = identify;
  }

  /** Runs a function. If it throws, its changes are undone. */
  atomically<T>(run: () => T): T {
    const outer = this.#undo;
    const undo: (() => void)[] = [];
    this.#undo = undo;
    try {
      const result = run();
      outer?.push(...undo);
      return result;
    } catch (error) {
      this.#undo = undefined;
      for (const revert of undo.toReversed()) revert();
      throw error;
    } finally {
      this.#undo = outer;
    }
  }

  /** A key for a new object. Keys do not repeat. */
  nextKey(): number {
    return (this.#lastKey += 1);
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: number | undefined): StoredObject | undefined {
    return key === undefined ? undefined : this.#objects.get(key);
  }

  /** The objects of a resource, in the order of their creation. */
  all(resource: string): Iterable<StoredObject> {
    return this.#byResource.get(resource)?.values() ?? [];
  }

  /** The objects of a resource with an identifier: several if it is unique within an account only. */
  identified(resource: string, identifier: unknown): readonly StoredObject[] {
    const keys = this.#byIdentifier.get(resource)?.get(identifier) ?? [];
    return [...keys].flatMap((key) => this.#objects.get(key) ?? []);
  }

  everything(): Iterable<StoredObject> {
    return this.#objects.values();
  }

  /**
   * Adds or replaces an object.
   *
   * @throws MockCapacityError above the maximum
   */
  put(object: StoredObject): void {
    const before = this.#objects.get(object.key);
    if (before === undefined && this.#objects.size >= this.#maximum) throw new MockCapacityError(this.#maximum);
    this.#undo?.push(() => (before === undefined ? this.#remove(object) : this.#set(before)));
    this.#set(object);
  }

  /** Removes an object. Its children stay. */
  remove(object: StoredObject): void {
    const before = this.#objects.get(object.key);
    if (before === undefined) return;
    this.#undo?.push(() => this.#set(before));
    this.#remove(before);
  }

  document(key: string): unknown {
    return this.#documents.get(key);
  }

  /** Keeps a document, or forgets it. */
  setDocument(key: string, document: unknown): void {
    const before = this.#documents.get(key);
    this.#undo?.push(() => this.#setDocument(key, before));
    this.#setDocument(key, document);
  }

  snapshot(): StoreSnapshot {
    return { objects: [...this.#objects.values()], documents: [...this.#documents], lastKey: this.#lastKey };
  }

  restore({ objects, documents, lastKey }: StoreSnapshot): void {
    this.#objects.clear();
    this.#byResource.clear();
    this.#byIdentifier.clear();
    this.#documents.clear();
    for (const object of objects) this.#set(object);
    for (const [key, document] of documents) this.#documents.set(key, document);
    // A key of an object that is gone does not come back.
    this.#lastKey = Math.max(this.#lastKey, lastKey);
  }

  #set(object: StoredObject): void {
    const before = this.#objects.get(object.key);
    if (before !== undefined) this.#unindex(before);
    this.#index(object);
    this.#objects.set(object.key, object);
    let ofResource = this.#byResource.get(object.resource);
    if (ofResource === undefined) this.#byResource.set(object.resource, (ofResource = new Map()));
    ofResource.set(object.key, object);
  }

  #index(object: StoredObject): void {
    let ofResource = this.#byIdentifier.get(object.resource);
    if (ofResource === undefined) this.#byIdentifier.set(object.resource, (ofResource = new Map()));
    const identifier = this.#identify(object);
    const keys = ofResource.get(identifier);
    if (keys === undefined) ofResource.set(identifier, new Set([object.key]));
    else keys.add(object.key);
  }

  #unindex(object: StoredObject): void {
    const ofResource = this.#byIdentifier.get(object.resource);
    const identifier = this.#identify(object);
    const keys = ofResource?.get(identifier);
    keys?.delete(object.key);
    if (keys?.size === 0) ofResource?.delete(identifier);
  }

  #remove(object: StoredObject): void {
    this.#unindex(object);
    this.#objects.delete(object.key);
    this.#byResource.get(object.resource)?.delete(object.key);
  }

  #setDocument(key: string, document: unknown): void {
    if (document === undefined) this.#documents.delete(key);
    else this.#documents.set(key, document);
  }
}
