import { regExpFlags, type UncheckedPattern } from "@plumbline/model";
import type { SpecNode } from "../../read/spec-node.js";

/** What the model lacks, so that schemas match too much. The linter reports it. */
export class UncheckedParts {
  /** The patterns that JavaScript cannot evaluate. */
  readonly patterns: UncheckedPattern[] = [];
  #count = 0;

  /** Records a part of a schema that matches too much. */
  add(): void {
    this.#count += 1;
  }

  /** Returns a pattern that JavaScript can evaluate. Records any other one. */
  check(place: SpecNode, pattern: string | undefined): string | undefined {
    if (pattern === undefined || regExpFlags(pattern) !== undefined) return pattern;
    this.patterns.push({ pattern, origin: place.origin });
    this.add();
    return undefined;
  }

  /** Reads a part of a schema. True if the part matches too much. */
  addedBy(read: () => void): boolean {
    const before = this.#count;
    read();
    return this.#count > before;
  }
}
