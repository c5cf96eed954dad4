import path from "node:path";
import { Project, ts } from "ts-morph";

/** The user's code, with its types. */
export interface CodeProject {
  readonly checker: ts.TypeChecker;
  /** The files of the user, sorted. */
  readonly files: readonly ts.SourceFile[];
  /** These, and all that they import. */
  readonly allFiles: readonly ts.SourceFile[];
}

const extensions = "{ts,tsx,mts,cts,js,jsx,mjs,cjs}";

/** Without a tsconfig.json: what bundlers do. */
const defaultOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  jsx: ts.JsxEmit.Preserve,
} satisfies ts.CompilerOptions;

/**
 * Opens the code in files and folders, with the options of the nearest tsconfig.json. It runs nothing of it.
 *
 * @param paths absolute paths of files and folders; those in `node_modules` and `dist` are left out
 */
export function openCodeProject(paths: readonly string[]): CodeProject {
  const config = ts.findConfigFile(folderOf(paths[0] ?? "."), (each) => ts.sys.fileExists(each));
  const project = new Project({
    ...(config === undefined ? { compilerOptions: defaultOptions } : { tsConfigFilePath: config }),
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
  });
  project.compilerOptions.set({ noEmit: true, skipLibCheck: true, allowJs: true, maxNodeModuleJsDepth: 0 });
  const globs = paths.flatMap((each) => {
    const posixPath = each.replaceAll(path.sep, "/");
    if (!ts.sys.directoryExists(each)) return [posixPath];
    return [`${posixPath}/**/*.${extensions}`, `!${posixPath}/**/{node_modules,dist}/**`];
  });
  const added = new Set(project.addSourceFilesAtPaths(globs).map((each) => each.getFilePath() as string));
  // Types that no file imports, such as those of a bundler.
  if (config !== undefined) project.addSourceFilesAtPaths(declarationFilesOf(config));
  const program = project.getProgram().compilerObject;
  const files = program.getSourceFiles().filter(({ fileName }) => added.has(fileName));
  return {
    checker: program.getTypeChecker(),
    files: [...files].sort((a, b) => (a.fileName < b.fileName ? -1 : 1)),
    allFiles: program.getSourceFiles(),
  };
}

function folderOf(each: string): string {
  return ts.sys.directoryExists(each) ? each : path.dirname(each);
}

function declarationFilesOf(config: string): readonly string[] {
  const { config: json } = ts.readConfigFile(config, (each) => ts.sys.readFile(each)) as { readonly config?: object };
  return ts
    .parseJsonConfigFileContent(json ?? {}, ts.sys, path.dirname(config))
    .fileNames.filter((each) => each.endsWith(".d.ts"));
}
