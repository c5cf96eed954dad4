import type { Report } from "./report.js";

export interface Benchmark {
  readonly name: string;
  /** What it measures, in a line. */
  readonly about: string;
  /** Enough rounds for reliable figures, and few enough to end within ten minutes. */
  readonly rounds: number;
  readonly run: (options: RunOptions) => Promise<Report>;
  /** Profiles what it measures, in place of measuring it. A round is some thousand requests, or one save. */
  readonly profile?: (options: RunOptions) => Promise<Report>;
}

interface RunOptions {
  readonly rounds: number;
  readonly say: (text: string) => void;
}
