import { toUnicodePattern, type UncheckedPattern } from "@plumbline/model";
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

  /** Returns a pattern as JavaScript can evaluate it. Records any other one. */
  check(place: SpecNode, pattern: string | undefined): string | undefined {
    const evaluated = pattern === undefined ? undefined : toUnicodePattern(pattern);
    if (pattern === undefined || evaluated !== undefined) return evaluated;
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
