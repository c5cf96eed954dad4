import { regExpFlags, type UncheckedPattern } from "@plumbline/model";
import type { SpecNode } from "../../read/spec-node.js";

/** The patterns of a description that JavaScript cannot evaluate. The linter reports them, and the model has none of them. */
export class UncheckedPatterns {
  readonly found: UncheckedPattern[] = [];

  /** Returns a pattern that JavaScript can evaluate. Records any other one. */
  check(place: SpecNode, pattern: string | undefined): string | undefined {
    if (pattern === undefined || regExpFlags(pattern) !== undefined) return pattern;
    this.found.push({ pattern, origin: place.origin });
    return undefined;
  }

  /** Reads a part of a schema. True if some pattern in it is not checked, so that the part matches too much. */
  addedBy(read: () => void): boolean {
    const before = this.found.length;
    read();
    return this.found.length > before;
  }
}
