/** The node of the description that a part of the model comes from. */
export interface Origin {
  /** The path relative to the folder of the description, with forward slashes. */
  readonly file: string;
  /** The JSON pointer (RFC 6901) in the file; empty for the root. */
  readonly pointer: string;
}

/** An origin with its line and column. */
export interface Located extends Origin {
  /** Starts at 1. */
  readonly line: number;
  /** Starts at 1. */
  readonly column: number;
}

/** A problem in the input: an `error` prevents generation, a `warning` does not. */
export interface Problem {
  /** A stable code, such as `limits/unit`. Each has a paragraph in docs/problems.md. */
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly origin: Located;
  /** A sentence that says what is wrong. */
  readonly message: string;
  /** A sentence that says how to fix it. */
  readonly fix?: string;
}

/** Thrown where processing cannot continue. It carries all problems found so far. */
export class ProblemError extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super(
      problems
        .map((each) => `${each.origin.file}:${each.origin.line}:${each.origin.column} ${each.message}`)
        .join("\n"),
    );
    this.name = "ProblemError";
    this.problems = problems;
  }
}
