import path from "node:path";
import { ts } from "ts-morph";
import { openCodeProject } from "../../../impact/code-project.js";
import { hasSyntaxErrors } from "../../migrate-code.js";
import type { CodeRecorder } from "../code-recorder.js";

/** The files to migrate, in the program that they belong to: its set-up, its routers and their handlers may be in others. */
export interface MigratedProgram {
  /** With all files of the program. */
  readonly recorder: CodeRecorder;
  /** Whether a node is in a file to migrate. */
  readonly isSelected: (node: ts.Node) => boolean;
}

/** Opens the program of a migration. */
export function openProgram(code: readonly string[], recorder: CodeRecorder): MigratedProgram {
  const selected = new Set(recorder.files.map(({ fileName }) => fileName));
  const isSelected = (node: ts.Node): boolean => selected.has(node.getSourceFile().fileName);
  const files = filesOfProgram(code).filter((each) => !each.endsWith(".d.ts"));
  if (files.every((each) => selected.has(each))) return { recorder, isSelected };
  const project = openCodeProject([...files, ...code]);
  const readable = project.files.filter((each) => !hasSyntaxErrors(each));
  return { recorder: { ...recorder, checker: project.checker, files: readable }, isSelected };
}

/** The files of the nearest tsconfig.json. Without one, single files belong to the folder of their package.json. */
function filesOfProgram(code: readonly string[]): readonly string[] {
  const [first = "."] = code;
  const isFolder = ts.sys.directoryExists(first);
  const start = isFolder ? first : path.dirname(first);
  const find = (name: string): string | undefined => ts.findConfigFile(start, (each) => ts.sys.fileExists(each), name);
  const config = find("tsconfig.json");
  if (config === undefined) {
    const manifest = isFolder ? undefined : find("package.json");
    return manifest === undefined ? [] : [path.dirname(manifest)];
  }
  const { config: json } = ts.readConfigFile(config, (each) => ts.sys.readFile(each)) as { readonly config?: object };
  return ts.parseJsonConfigFileContent(json ?? {}, ts.sys, path.dirname(config)).fileNames;
}
