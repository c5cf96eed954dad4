/** The node of the description that a part of the model comes from. */
export interface SourceRef {
  /** The path relative to the folder of the description, with forward slashes. */
  readonly file: string;
  /** The JSON pointer (RFC 6901) in the file; empty for the root. */
  readonly pointer: string;
}

/** An origin with its line and column. */
export interface SourceLocation extends SourceRef {
  /** Starts at 1. */
  readonly line: number;
  /** Starts at 1. */
  readonly column: number;
}

/** A problem in the input: an `error` prevents generation, a `warning` does not. */
export interface Diagnostic {
  /** A stable code, such as `limits/unit`. Each has a paragraph in docs/diagnostics.md. */
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly origin: SourceLocation;
  /** A sentence that says what is wrong. */
  readonly message: string;
  /** A sentence that says how to fix it. */
  readonly fix?: string;
}

/** Thrown where processing cannot continue. It carries all problems found so far. */
export class DiagnosticsError extends Error {
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super(
      diagnostics
        .map((each) => `${each.origin.file}:${each.origin.line}:${each.origin.column} ${each.message}`)
        .join("\n"),
    );
    this.name = "DiagnosticsError";
    this.diagnostics = diagnostics;
  }
}

/** Whether an error is a DiagnosticsError, also of another copy of this package. */
export function isDiagnosticsError(error: unknown): error is DiagnosticsError {
  return (
    error instanceof Error &&
    error.name === "DiagnosticsError" &&
    "diagnostics" in error &&
    Array.isArray(error.diagnostics)
  );
}
