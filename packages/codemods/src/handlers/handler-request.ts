import type { SourceIssue } from "./syntax/parse.js";

/** An operation of the description, which needs a handler. */
export interface HandlerOperation {
  readonly name: string;
  /** The method and the path, such as `GET /pets`. */
  readonly route: string;
  /** The tag, as file names have it. */
  readonly tag: string;
  /** The path of the file for handlers of its tag. */
  readonly file: string;
  /** The name of the exported object in that file. */
  readonly object: string;
  readonly stub: HandlerStub;
}

/** The parts of a stub, with two spaces a level. */
export interface HandlerStub {
  /** A JSDoc block. */
  readonly comment: string;
  /** The name, quoted where it is not a valid identifier. */
  readonly key: string;
  /** The function. */
  readonly value: string;
}

/** A handler of the previous run. */
export interface PreviousHandler {
  readonly route: string;
  /** The tag, as file names have it. */
  readonly tag: string;
  /** The fingerprint of the stub: an equal handler has no code of a person. */
  readonly stub: string;
}

export interface HandlerRequest {
  /** The operations of the description, in its order. */
  readonly operations: readonly HandlerOperation[];
  /** The handlers of the previous run, by operation. Empty for the first run. */
  readonly previous: Readonly<Record<string, PreviousHandler>>;
  /** The texts of the existing files, by path. */
  readonly texts: Readonly<Record<string, string>>;
  /** Returns the path of the file for handlers of a tag. */
  readonly fileOf: (tag: string) => string;
  /** The path of the file that puts the objects together. */
  readonly index: string;
  /** The module of the generated server. */
  readonly server: string;
  /** Returns the names of the types that the generated server exports for an operation. */
  readonly typeNames: (operation: string) => readonly string[];
}

/** A file with handlers, before and after. */
export interface HandlerFile {
  readonly path: string;
  /** Null for a new file. */
  readonly original: string | null;
  readonly text: string;
}

export interface HandlerUpdate {
  /** The files with handlers, changed or not. */
  readonly files: readonly HandlerFile[];
  /** What the next run needs as `previous`. */
  readonly handlers: Readonly<Record<string, PreviousHandler>>;
  /** What is out of step, and only the author of a file can change. */
  readonly issues: readonly SourceIssue[];
}
