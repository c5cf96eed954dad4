import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type { TextFile } from "../emit/files.js";
import { formatted } from "../emit/format.js";
import { runGenerator, type ArtifactOptions } from "../generator.js";
import { apiOf, inFolder, type Texts } from "../model/testing.support.js";
import { client } from "./index.js";

const artifact: ArtifactOptions = {
  package: "@pets/client",
  private: false,
  source: (origin) => `spec/${origin.file}#${origin.pointer}`,
  locate: (origin) => ({ ...origin, line: 1, column: 1 }),
};

/** The files of the client of a description, formatted, by their paths; data files are left out. */
export async function clientOf(
  texts: Texts,
  names: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const files = runGenerator(client, await apiOf(texts, names), artifact).filter(
    (file): file is TextFile => "text" in file,
  );
  const done = await Promise.all(files.map(async (file) => (file.path.endsWith(".ts") ? formatted(file) : file)));
  return Object.fromEntries(done.map((file) => [file.path, file.text] as const));
}

/** The statements of a file, without the line that says who wrote it. */
export function body(files: Readonly<Record<string, string>>, name: string): string {
  return (files[`src/gen/${name}`] ?? `there is no ${name}`).replace(/^\/\/.*\n+/, "");
}

/** What TypeScript says of a client, under its own strict options and against the sources of the runtime; and of code that uses it. */
export async function faultsOf(files: Readonly<Record<string, string>>, use = ""): Promise<readonly string[]> {
  return inFolder(
    { ...files, "package.json": '{"type": "module"}', "src/use.ts": use === "" ? "export {};\n" : use },
    async (folder) => {
      const { config } = ts.readConfigFile(path.join(folder, "tsconfig.json"), ts.sys.readFile) as { config: object };
      const parsed = ts.parseJsonConfigFileContent(config, ts.sys, folder);
      const options = {
        ...withoutFolders(parsed.options),
        noEmit: true,
        paths: { "@plumbline/client-runtime": [runtime] },
      };
      const host = ts.createCompilerHost(options);
      const read = host.getSourceFile.bind(host);
      host.getSourceFile = (name, ...rest) => {
        if (name.startsWith(folder)) return read(name, ...rest);
        const source = shared.get(name) ?? read(name, ...rest);
        if (source !== undefined) shared.set(name, source);
        return source;
      };
      const program = ts.createProgram(parsed.fileNames, options, host);
      return ts.getPreEmitDiagnostics(program).map((fault) => {
        const message = ts.flattenDiagnosticMessageText(fault.messageText, "\n");
        return `${fault.file === undefined ? "" : path.relative(folder, fault.file.fileName)}: ${message}`;
      });
    },
  );
}

/** TypeScript's libraries and the runtime, which are the same for every client, and most of what there is to read. */
const shared = new Map<string, ts.SourceFile>();

const runtime = fileURLToPath(new URL("../../../packages/client-runtime/src/index.ts", import.meta.url));

/** The runtime's sources stand elsewhere. */
function withoutFolders({ rootDir: _rootDir, outDir: _outDir, ...rest }: ts.CompilerOptions): ts.CompilerOptions {
  return rest;
}
