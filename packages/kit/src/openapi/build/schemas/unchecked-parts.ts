import {
  isLinearPattern,
  recordFastLength,
  type SlowPattern,
  toUnicodePattern,
  type UncheckedPattern,
} from "../../../model/index.js";
import { fastTextLength } from "../../patterns/backtracking.js";
import type { SpecNode } from "../../read/spec-node.js";

/** What the model lacks, so that schemas match too much. The linter reports it. */
export class UncheckedParts {
  /** The patterns that JavaScript cannot evaluate. */
  readonly patterns: UncheckedPattern[] = [];
  readonly #slow = new Map<string, SlowPattern>();
  #count = 0;

  /** The patterns that no backtracking matcher may get with long texts. */
  get slowPatterns(): readonly SlowPattern[] {
    return [...this.#slow.values()];
  }

  /** Records a part of a schema that matches too much. */
  add(): void {
    this.#count += 1;
  }

  /** Returns a pattern as JavaScript can evaluate it. Records any other one. */
  check(place: SpecNode, pattern: string | undefined): string | undefined {
    if (pattern === undefined) return undefined;
    const evaluated = toUnicodePattern(pattern);
    if (evaluated !== undefined) {
      const fastLength = fastTextLength(evaluated);
      recordFastLength(evaluated, fastLength);
      if (fastLength < Infinity)
        this.#slow.set(evaluated, { pattern: evaluated, fastLength, isLinear: isLinearPattern(evaluated) });
      return evaluated;
    }
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
