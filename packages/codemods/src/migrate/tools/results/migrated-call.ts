import type { Operation } from "@plumbline/kit/model";
import type { ts } from "ts-morph";
import type { GeneratedClient } from "../client/generated-client.js";
import type { CodeRecorder } from "../code-recorder.js";
import type { TextOf } from "../nested-edits.js";
import type { ResultNames } from "./result-names.js";

/** A call of another tool whose result is an object, and what takes its place. */
export interface MigratedCall {
  readonly call: ts.CallExpression;
  readonly operation: Operation;
  /** Returns the new call, without what reads its result. */
  readonly text: (textOf: TextOf) => string;
  /** Whether errors were thrown, and are from now on. */
  readonly throws: boolean;
}

/** Records edits that were planned. */
export type RecordEdits = () => void;

/** What the migrations of results share. */
export interface ResultMigration {
  readonly recorder: CodeRecorder;
  readonly client: GeneratedClient;
  readonly names: ResultNames;
}

/** Replaces a call by the new one, within calls of functions of the client. */
export function wrapCall({ call, text }: MigratedCall, functions: readonly string[], recorder: CodeRecorder): void {
  const file = call.getSourceFile();
  const locals = functions.map((imported) => recorder.importName(file, { imported, isType: false }));
  recorder.replace(call, (textOf) => locals.reduceRight((inner, each) => `${each}(${inner})`, text(textOf)));
}
