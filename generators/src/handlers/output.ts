import type { HandlerOperation, PreviousHandler, SourceIssue } from "@plumbline/codemods/handlers";
import type { ArtifactOutput, TextFile } from "@plumbline/kit/codegen";
import { DiagnosticsError, isJsonObject, type Diagnostic } from "@plumbline/kit/model";
import { loadCodemods } from "./codemods.js";
import type { HandlerLayout } from "./layout.js";

/** What the generator reads beside the model. */
export interface HandlerInput {
  /** The folder of the artifact, relative to that of the description. */
  readonly folder: string;
  /** The handlers of the previous run; undefined for the first one. */
  readonly state: Readonly<Record<string, PreviousHandler>> | undefined;
  /** The texts of the existing files with handlers, by path. */
  readonly texts: Readonly<Record<string, string>>;
}

const statePath = ".plumbline-handlers.json";

/** Reads the files with handlers, and what the previous run has written about them. */
export async function readOutput(
  output: ArtifactOutput,
  layout: HandlerLayout,
  operations: readonly HandlerOperation[],
): Promise<HandlerInput> {
  const { readHandlerFiles } = await loadCodemods();
  const { folder } = output;
  const state = parseState(await output.readText(statePath), folder);
  const files = new Set([...operations, ...Object.values(state ?? {})].map(({ tag }) => layout.fileOf(tag)));
  const { index, start } = layout;
  const texts = await readHandlerFiles({ index, files: [...files], readText: output.readText });
  const started = state === undefined ? await output.readText(start) : undefined;
  return { folder, state, texts: started === undefined ? texts : { ...texts, [start]: started } };
}

/** The file that the next run needs to recognize handlers that are renamed, moved or removed. */
export function stateFile(handlers: Readonly<Record<string, PreviousHandler>>): TextFile {
  const comment =
    "What the previous run knew about handlers, so that the next one recognizes renamed and moved operations. Commit it.";
  // One handler a line, so that changes of two branches merge.
  const lines = Object.entries(handlers).map(
    ([name, handler]) => `    ${JSON.stringify(name)}: ${JSON.stringify(handler)}`,
  );
  const list = lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n  }`;
  return { path: statePath, text: `{\n  "comment": ${JSON.stringify(comment)},\n  "handlers": ${list}\n}\n` };
}

function parseState(text: string | undefined, folder: string): HandlerInput["state"] {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const handlers = isJsonObject(value) ? value["handlers"] : undefined;
    if (isJsonObject(handlers)) return handlers as HandlerInput["state"];
  } catch {
    // Reported below.
  }
  const issue = {
    path: statePath,
    line: 1,
    column: 1,
    message: "This is not a list of handlers.",
    fix: "Restore the file, such as after a merge conflict, or delete it: then renamed operations are not recognized.",
  };
  throw new DiagnosticsError([toDiagnostic({ folder }, issue, "error")]);
}

/** Turns an issue in a file of the user into a diagnostic. */
export function toDiagnostic(
  { folder }: Pick<HandlerInput, "folder">,
  { path, line, column, message, fix }: SourceIssue,
  severity: Diagnostic["severity"],
): Diagnostic {
  const origin = { file: folder === "" ? path : `${folder}/${path}`, pointer: "", line, column };
  return { code: severity === "error" ? "handlers/syntax" : "handlers/unclear", severity, origin, message, fix };
}
