/** A bundled description, for a tool that reads it. */
export interface BundledDescription {
  /** Absolute path. */
  readonly file: string;
  /** Absolute path of a folder for what the tool writes. */
  readonly out: string;
  /** Absolute path of the Node that runs the tool. */
  readonly node: string;
}

/** What a tool complained about. */
export interface Complaints {
  readonly reader: string;
  readonly form: string;
  readonly texts: readonly string[];
}
