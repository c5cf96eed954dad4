import type { NullHandling } from "./compile/scope.js";

/** How a validated body is normalized. */
export interface NormalizerSettings {
  readonly nulls: NullHandling;
  /** Whether to apply constant defaults. They are right when something is created and wrong when it is changed. */
  readonly defaults: boolean;
  /** Whether to apply values that follow from the request. Not if a value may repeat the stored one, which only the server knows. */
  readonly values: boolean;
  /** True for values inside the body: conditions on the body do not apply to them. */
  readonly within: boolean;
}
