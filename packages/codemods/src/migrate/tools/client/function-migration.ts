import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import type { CodeRecorder } from "../code-recorder.js";
import { calleeName, findGeneratedImports, resolveDeclaration, type GeneratedImport } from "./generated-imports.js";

/** A call of a function that a tool has generated. */
interface FunctionCall {
  readonly call: ts.CallExpression;
  readonly declaration: ts.Declaration;
  readonly file: ts.SourceFile;
  /** Imports the function of an operation, under the name of the old one if that becomes free. */
  readonly functionName: (operation: Operation) => string;
}

/** How a tool's functions are migrated. */
export interface FunctionMigration {
  readonly recorder: CodeRecorder;
  readonly isGenerated: (file: ts.SourceFile) => boolean;
  /** Migrates a call, and returns the nodes that are replaced. Undefined: it is not understood. */
  readonly migrateCall: (call: FunctionCall) => readonly ts.Node[] | undefined;
  /** Migrates anything else, such as the set-up of a client, and returns the nodes that are replaced. */
  readonly migrateOther: (node: ts.Node) => readonly ts.Node[];
  /** Migrates an import whose uses are left, such as that of a type. Returns false if it has no rewrite. */
  readonly migrateImport: (each: GeneratedImport) => boolean;
}

/** Migrates the calls of generated functions in all files, and the imports that they leave. */
export function migrateFunctions(migration: FunctionMigration): void {
  const { recorder, isGenerated, migrateCall, migrateOther, migrateImport } = migration;
  const { checker } = recorder;
  for (const file of recorder.files) {
    if (isGenerated(file)) continue;
    const imports = findGeneratedImports(file, isGenerated, checker);
    const replaced = new Set<ts.Node>();
    const isFree = (each: GeneratedImport): boolean => each.references.every((node) => replaced.has(node));
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      for (const each of migrateOther(node)) addIdentifiers(each, replaced);
      const name = ts.isCallExpression(node) ? calleeName(node) : undefined;
      const declaration = name && resolveDeclaration(name, checker);
      if (!ts.isCallExpression(node) || declaration === undefined || !isGenerated(declaration.getSourceFile())) return;
      const imported = imports.find(({ references }) => references.some((each) => each === name));
      const functionName = (operation: Operation): string =>
        recorder.importName(file, {
          imported: operation.name,
          isType: false,
          ...(imported !== undefined && isFree(imported) && { local: imported.name.local }),
        });
      for (const each of migrateCall({ call: node, declaration, file, functionName }) ?? [])
        addIdentifiers(each, replaced);
    };
    visit(file);
    for (const each of imports) {
      const remaining = each.references.filter((node) => !replaced.has(node));
      if (remaining.length === 0 && each.references.length > 0) recorder.removeImport(each.name);
      else if (!migrateImport(each)) reportUses(each, remaining, recorder);
    }
    reportReexports(file, migration);
  }
}

function addIdentifiers(node: ts.Node, replaced: Set<ts.Node>): void {
  if (ts.isIdentifier(node)) replaced.add(node);
  ts.forEachChild(node, (each) => addIdentifiers(each, replaced));
}

function reportUses(
  { name }: GeneratedImport,
  uses: readonly ts.Identifier[],
  { report, isReported }: CodeRecorder,
): void {
  for (const node of uses) {
    // Calls that are not understood are reported already.
    if (!isReported(node)) report("notUnderstood", node, `\`${name.imported}\` is used in a way that has no rewrite.`);
  }
}

/** `export * from "./generated"`: what uses it elsewhere is migrated, the export stays. */
function reportReexports(file: ts.SourceFile, { recorder, isGenerated }: FunctionMigration): void {
  for (const node of file.statements.filter(ts.isExportDeclaration)) {
    const module = node.moduleSpecifier && recorder.checker.getSymbolAtLocation(node.moduleSpecifier);
    const source = module?.valueDeclaration?.getSourceFile();
    if (source !== undefined && isGenerated(source))
      recorder.report("notUnderstood", node, "The file exports what another tool has generated.");
  }
}
