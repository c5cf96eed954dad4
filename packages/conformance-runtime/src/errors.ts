import type { AssertionFailure } from "./results.js";
import type { Capability } from "./suite.js";

/** Thrown by a step that checks: the differences that it found. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
  readonly failures: readonly AssertionFailure[];
  constructor(differences: readonly AssertionFailure[]) {
    super(differences[0]?.message ?? "The response differs from the expectation.");
    this.failures = differences;
  }
}

/** Thrown by a step that prepares the case: why the case cannot run. */
export class SetupError extends Error {
  override readonly name = "SetupError";
  readonly failures: readonly AssertionFailure[];
  /** The operation that did not respond as documented. */
  readonly operation: string | undefined;
  constructor(differences: readonly AssertionFailure[], operation?: string) {
    super(differences[0]?.message ?? "The case could not run.");
    this.failures = differences;
    this.operation = operation;
  }
}

/** The run has no caller, or no object, that the case needs: the case is skipped. */
export class MissingCapabilityError extends Error {
  override readonly name = "MissingCapabilityError";
  readonly capability: Capability;
  constructor(capability: Capability, message: string) {
    super(message);
    this.capability = capability;
  }
}

/** The suite contradicts itself. It ends the run, since the generator or its settings have to be fixed. */
export class SuiteError extends Error {
  override readonly name = "SuiteError";
}
