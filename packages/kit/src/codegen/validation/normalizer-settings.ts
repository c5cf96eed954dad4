import type { NullHandling } from "./compile/scope.js";

/** How a validated body is normalized. */
export interface NormalizerSettings {
  /** How objects treat `null`. */
  readonly nulls: NullHandling;
  /** Whether to apply constant defaults: true for what creates something, false for what changes it. */
  readonly appliesDefaults: boolean;
  /**
   * Whether to apply the values that rules derive from the request. False where the server accepts a value that equals the stored one, since
   * only the server knows that one.
   */
  readonly appliesDerivedValues: boolean;
  /** True for objects inside the body. The conditions of the body apply to the body alone. */
  readonly isNested: boolean;
}
