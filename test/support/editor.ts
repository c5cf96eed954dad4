import path from "node:path";
import { ts } from "ts-morph";
import { repository } from "./places.js";

/** What an editor shows of a program that is being written. */
export interface Editor {
  /** The quick info at the first place where this text stands, on its last word; with the documentation below. */
  readonly hover: (text: string) => string;
  /** The errors of the program, each with the text that is underlined. */
  readonly errors: () => readonly { readonly at: string; readonly says: string }[];
  /** The names that are offered right behind this text. */
  readonly completions: (after: string) => readonly string[];
}

/** Opens a program in TypeScript's language service, as it would stand in a package that has the client installed. */
export function open(program: string): Editor {
  opened += 1;
  const file = path.join(repository, "test", `opened-${opened}.ts`); // the registry knows files by name
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    types: [],
    noEmit: true,
  };
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getCurrentDirectory: () => repository,
    getDefaultLibFileName: (given) => libraryFile(given),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const text = name === file ? program : ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? program : ts.sys.readFile(name)),
    directoryExists: ts.sys.directoryExists,
    ...(ts.sys.realpath && { realpath: ts.sys.realpath }),
  };
  const service = ts.createLanguageService(host, documents);
  const find = (text: string): number => {
    const index = program.indexOf(text);
    if (index < 0) throw new Error(`The program has no ${JSON.stringify(text)}`);
    return index;
  };
  return {
    hover: (text) => {
      const word = /[\w$]+$/.exec(text)?.[0] ?? "";
      const info = service.getQuickInfoAtPosition(file, find(text) + text.length - word.length);
      const tags = (info?.tags ?? []).map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text)}`);
      return [ts.displayPartsToString(info?.displayParts), ts.displayPartsToString(info?.documentation), ...tags].join(
        "\n",
      );
    },
    errors: () =>
      [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].map(
        ({ start = 0, length = 0, messageText }) => ({
          at: program.slice(start, start + length),
          says: ts.flattenDiagnosticMessageText(messageText, "\n"),
        }),
      ),
    completions: (after) =>
      (service.getCompletionsAtPosition(file, find(after) + after.length, {})?.entries ?? []).map(({ name }) => name),
  };
}

let opened = 0;

/** Parsed libraries are shared between the programs of a test file. */
const documents = ts.createDocumentRegistry();

function libraryFile(options: ts.CompilerOptions): string {
  return path.join(repository, "generators", "node_modules", "typescript", "lib", ts.getDefaultLibFileName(options));
}
