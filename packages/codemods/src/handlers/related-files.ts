import { ts } from "ts-morph";
import { importedNames } from "./syntax/imports.js";
import { resolveModule } from "./syntax/module-paths.js";
import { parseSource } from "./syntax/parse.js";

export interface HandlerFileRequest {
  /** The path of the file that puts the objects together. */
  readonly index: string;
  /** The paths of the files that handlers have, or had in the previous run. */
  readonly files: readonly string[];
  /** Reads a file. Returns undefined where there is none. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

/**
 * Reads the files with handlers: the stated ones, what the index imports by relative paths, and what these files re-export or import by a name
 * that ends in `Handlers`.
 *
 * @returns The texts of the existing files, by path.
 */
export async function readHandlerFiles({
  index,
  files,
  readText,
}: HandlerFileRequest): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  const visited = new Set([index, ...files]);
  const pending = [...visited];
  for (let path = pending.shift(); path !== undefined; path = pending.shift()) {
    const text = await readText(path);
    if (text === undefined) continue;
    texts[path] = text;
    for (const related of relatedFiles(path, text, path === index)) {
      if (!visited.has(related)) pending.push(related);
      visited.add(related);
    }
  }
  return texts;
}

function relatedFiles(path: string, text: string, isIndex: boolean): readonly string[] {
  const tree = parseSource(path, text);
  const exported = tree.statements.flatMap((each) =>
    ts.isExportDeclaration(each) && each.moduleSpecifier !== undefined && ts.isStringLiteral(each.moduleSpecifier)
      ? [each.moduleSpecifier.text]
      : [],
  );
  const imported = importedNames(tree).filter(({ local, isType }) => !isType && (isIndex || /handlers$/i.test(local)));
  return [...exported, ...imported.map(({ module }) => module)].flatMap((module) => resolveModule(path, module) ?? []);
}
