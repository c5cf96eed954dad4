/** Which node of the description something comes from. */
export interface Origin {
  /** Relative to the root description's folder, with forward slashes. */
  readonly file: string;
  /** RFC 6901 pointer inside the file; empty for the whole file. */
  readonly pointer: string;
}

/** An origin as an editor finds it. */
export interface Located extends Origin {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
}

/** Something in the input that has to be mended (`error`) or is worth a look (`warning`). */
export interface Problem {
  /** Stable, such as `limit/unit`; each has a paragraph in docs/problems.md. */
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly origin: Located;
  /** What is wrong, a sentence. */
  readonly message: string;
  /** What to write instead, a sentence. */
  readonly fix?: string;
}

/** Thrown where going on makes no sense; carries every problem found so far. */
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
