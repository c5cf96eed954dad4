import path from "node:path";
import { fileURLToPath } from "node:url";
import { type TextFile, formatFile } from "@plumbline/kit/codegen";
import { testOptions } from "@plumbline/kit/codegen/testing";
import { buildFixtureApi, type FixtureFiles } from "@plumbline/kit/openapi/testing";
import ts from "typescript";
import clientGenerator from "./index.js";

const artifact = testOptions("@pets/client");
const defaults = { paths: false, query: true, dates: "string", integers: "number" } as const;

/** Generates the client of a description. Returns the formatted source files by their paths, without data files. */
export async function generateClient(
  texts: FixtureFiles,
  names: Readonly<Record<string, string>> = {},
  values: { readonly dates?: "Date" | "Temporal"; readonly integers?: "bigint" } = {},
): Promise<Readonly<Record<string, string>>> {
  const files = (
    await clientGenerator.files(await buildFixtureApi(texts, names), {
      ...artifact,
      config: { ...defaults, ...values },
    })
  ).filter((file): file is TextFile => "text" in file);
  const done = await Promise.all(files.map(async (file) => (file.path.endsWith(".ts") ? formatFile(file) : file)));
  return Object.fromEntries(done.map((file) => [file.path, file.text] as const));
}

/** Returns the statements of a file, without its banner. */
export function functionBody(files: Readonly<Record<string, string>>, name: string): string {
  return (files[`src/gen/${name}`] ?? `there is no ${name}`).replace(/^\/\/.*\n+/, "");
}

/**
 * Returns TypeScript's diagnostics for a package and for code that uses it. Compiles under the package's strict options,
 * against the sources of the runtimes.
 */
export function typeErrors(files: Readonly<Record<string, string>>, use = ""): readonly string[] {
  const texts = new Map(
    Object.entries({
      ...files,
      "package.json": '{"type": "module"}',
      "src/use.ts": use === "" ? "export {};\n" : use,
    }).map(([name, text]) => [path.join(folder, name), text] as const),
  );
  const options = optionsIn(texts);
  const host = hostOf(texts, options);
  const roots = [...texts.keys()].filter((name) => name.endsWith(".ts"));
  const program = ts.createProgram(roots, options, host);
  // The runtimes and the libraries are the same for every package, and are not part of it.
  const own = roots.map((name) => program.getSourceFile(name));
  const issues = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
      ...program.getDeclarationDiagnostics(file),
    ]),
  ];
  return issues.map(({ file, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, "\n");
    return `${file === undefined ? "" : path.relative(folder, file.fileName)}: ${message}`;
  });
}

/** The virtual folder of the package. Nothing is written there. */
const folder = fileURLToPath(new URL("../../client-in-memory", import.meta.url));

const sources = (source: string): string[] => [fileURLToPath(new URL(`../../../packages/${source}`, import.meta.url))];

/** The sources of each runtime. */
const paths = {
  "@plumbline/client-runtime": sources("client-runtime/src/index.ts"),
  "@plumbline/server-runtime/validator": sources("server-runtime/src/validator/index.ts"),
  "@plumbline/server-runtime/validator/standard": sources("server-runtime/src/validator/standard/index.ts"),
};

/** The options of the package's own tsconfig.json, with the runtimes mapped to their sources. */
function optionsIn(texts: ReadonlyMap<string, string>): ts.CompilerOptions {
  const file = path.join(folder, "tsconfig.json");
  const { config } = ts.parseConfigFileTextToJson(file, texts.get(file) ?? "") as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, folder);
  const { rootDir: _rootDir, outDir: _outDir, ...rest } = options;
  return { ...rest, noEmit: true, paths };
}

/** A compiler host that reads these files from memory, and everything else from the disk once for all packages. */
function hostOf(texts: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, directoryExists, fileExists, readFile } = host;
  host.directoryExists = (name) => name.startsWith(folder) || directoryExists?.(name) === true;
  host.fileExists = (name) => texts.has(name) || (!name.startsWith(folder) && fileExists(name));
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  host.getSourceFile = (name, version, ...rest) => {
    const text = texts.get(name);
    if (text !== undefined) return ts.createSourceFile(name, text, version);
    const source = shared.get(name) ?? getSourceFile(name, version, ...rest);
    if (source !== undefined) shared.set(name, source);
    return source;
  };
  return host;
}

/** The parsed libraries of TypeScript and the runtimes, which make up most of what the compiler reads. */
const shared = new Map<string, ts.SourceFile>();
