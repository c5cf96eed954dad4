import path from "node:path";
import { ts } from "ts-morph";
import { repository, typescriptLibrary } from "./places.js";

/** The features of an editor for an unfinished program. */
export interface Editor {
  /** The quick info of the last word of this text's first occurrence, with the documentation below. */
  readonly hover: (text: string) => string;
  /** The errors of the program, each with the text that is underlined. */
  readonly errors: () => readonly { readonly at: string; readonly says: string }[];
  /** The names that are offered right behind this text. */
  readonly completions: (after: string) => readonly string[];
}

/** Opens a program in TypeScript's language service, as in a package with the client installed. */
export function open(program: string): Editor {
  const find = (text: string): number => {
    const index = program.indexOf(text);
    if (index < 0) throw new Error(`The program has no ${JSON.stringify(text)}`);
    return index;
  };
  return {
    hover: (text) => {
      const word = /[\w$]+$/.exec(text)?.[0] ?? "";
      const info = serviceWith(program).getQuickInfoAtPosition(file, find(text) + text.length - word.length);
      const tags = (info?.tags ?? []).map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text)}`);
      return [ts.displayPartsToString(info?.displayParts), ts.displayPartsToString(info?.documentation), ...tags].join(
        "\n",
      );
    },
    errors: () =>
      [...serviceWith(program).getSyntacticDiagnostics(file), ...serviceWith(program).getSemanticDiagnostics(file)].map(
        ({ start = 0, length = 0, messageText }) => ({
          at: program.slice(start, start + length),
          says: ts.flattenDiagnosticMessageText(messageText, "\n"),
        }),
      ),
    completions: (after) =>
      (serviceWith(program).getCompletionsAtPosition(file, find(after) + after.length, {})?.entries ?? []).map(
        ({ name }) => name,
      ),
  };
}

const file = path.join(repository, "test", "opened.ts");
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  types: [],
  noEmit: true,
};

let opened = "";
let version = 0;

/** One for all programs: only the text of the file changes, and libraries are read and parsed once. */
const languageService = ts.createLanguageService({
  getCompilationSettings: () => options,
  getCurrentDirectory: () => repository,
  getDefaultLibFileName: (given) => path.join(typescriptLibrary, ts.getDefaultLibFileName(given)),
  getScriptFileNames: () => [file],
  getScriptVersion: (name) => (name === file ? String(version) : "1"),
  getScriptSnapshot: (name) => {
    const text = readFile(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  fileExists: (name) => name === file || ts.sys.fileExists(name),
  readFile,
  directoryExists: ts.sys.directoryExists,
  ...(ts.sys.realpath && { realpath: ts.sys.realpath }),
});

function serviceWith(program: string): ts.LanguageService {
  if (program !== opened) {
    opened = program;
    version += 1;
  }
  return languageService;
}

function readFile(name: string): string | undefined {
  return name === file ? opened : ts.sys.readFile(name);
}
