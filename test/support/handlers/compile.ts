import path from "node:path";
import serverGenerator from "@plumbline/generators/server";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import { ts } from "ts-morph";
import { repository, typescriptLibrary } from "../places.js";

/** The texts of a project, by path. */
export type Texts = Readonly<Record<string, string>>;

/** The package of the generated server in these projects. */
export const serverName = "@pets/server";

const servers = new Map<string, Promise<Texts>>();

/** The sources of the generated server of a description. */
async function serverOf(description: string): Promise<Texts> {
  const known = servers.get(description) ?? testGenerator(serverGenerator, { description, package: serverName });
  servers.set(description, known);
  return known;
}

const root = path.join(repository, "test", "handlers-project");
const options: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  noImplicitOverride: true,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ["node"],
  skipLibCheck: true,
  noEmit: true,
  paths: { [serverName]: [`${root}/server/index.ts`] },
};

const parsed = new Map<string, { readonly text: string; readonly tree: ts.SourceFile }>();
let previous: ts.Program | undefined;

/** Returns the errors of the TypeScript compiler in a project, against the server of a description. */
export async function compileErrors(texts: Texts, description: string): Promise<readonly string[]> {
  const server = Object.entries(await serverOf(description)).flatMap(([file, text]) =>
    file.startsWith("src/") ? [[`${root}/server/${file.slice("src/".length)}`, text] as const] : [],
  );
  const own = Object.entries(texts).map(([file, text]) => [`${root}/${file}`, text] as const);
  const files = new Map<string, string>([...server, ...own]);
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    getDefaultLibLocation: () => typescriptLibrary,
    getDefaultLibFileName: () => path.join(typescriptLibrary, "lib.d.ts"),
    getSourceFile: (file) => treeOf(file, files),
    fileExists: (file) => files.has(file) || ts.sys.fileExists(file),
    readFile: (file) => files.get(file) ?? ts.sys.readFile(file),
    directoryExists: (folder) => folder.startsWith(root) || ts.sys.directoryExists(folder),
  };
  const program = ts.createProgram({
    rootNames: own.map(([file]) => file),
    options,
    host,
    ...(previous && { oldProgram: previous }),
  });
  previous = program;
  return own.flatMap(([file]) => {
    const tree = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(tree), ...program.getSemanticDiagnostics(tree)];
    return found.map(({ messageText, start = 0 }) => {
      const line = (tree?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      return `${file.slice(root.length + 1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
  });
}

function treeOf(file: string, files: ReadonlyMap<string, string>): ts.SourceFile | undefined {
  const text = files.get(file) ?? parsed.get(file)?.text ?? ts.sys.readFile(file);
  if (text === undefined) return undefined;
  const known = parsed.get(file);
  if (known?.text === text) return known.tree;
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  parsed.set(file, { text, tree });
  return tree;
}
