import type { ts } from "ts-morph";
import { importedNames, type ImportedName } from "../syntax/imports.js";
import { declaredNames, findReferences, hasExport, isWithin, spanOf, type TextSpan } from "../syntax/references.js";

/** The code of a file that one handler uses. */
export interface UsedCode {
  /** Declarations that nothing else uses, in their order. */
  readonly statements: readonly ts.Statement[];
  /** Imports that nothing else uses. */
  readonly imports: readonly ImportedName[];
  /** Imports that the file still needs. */
  readonly sharedImports: readonly ImportedName[];
  /** Declarations that the file still needs, by name. */
  readonly sharedDeclarations: ReadonlyMap<string, ts.Statement>;
  /** Names that the code uses, and that the file does not declare at its top. */
  readonly freeNames: ReadonlySet<string>;
}

/** Finds the declarations and imports that a node uses, directly or through others. */
export function findUsedCode(tree: ts.SourceFile, node: ts.Node): UsedCode {
  const references = findReferences(tree);
  const imports = importedNames(tree);
  const declarations = new Map<string, ts.Statement>();
  for (const statement of tree.statements)
    for (const name of declaredNames(statement)) if (!declarations.has(name)) declarations.set(name, statement);
  const statements = new Set<ts.Statement>();
  const spans = (): readonly TextSpan[] => [node, ...statements].map((each) => spanOf(tree, each));
  const used = (within: readonly TextSpan[]): ReadonlySet<string> =>
    new Set(
      [...references]
        .filter(([, nodes]) => nodes.some((each) => isWithin(spanOf(tree, each), within)))
        .map(([name]) => name),
    );
  const isOnlyIn = (name: string, within: readonly TextSpan[]): boolean =>
    (references.get(name) ?? []).every((each) => isWithin(spanOf(tree, each), within));
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const name of used(spans())) {
      const statement = declarations.get(name);
      if (statement === undefined || statements.has(statement) || hasExport(statement)) continue;
      if (isWithin(spanOf(tree, node), [spanOf(tree, statement)])) continue; // the object itself
      const within = [...spans(), spanOf(tree, statement)];
      const names = tree.statements.filter((each) => each === statement).flatMap(declaredNames);
      if (!names.every((each) => isOnlyIn(each, within))) continue;
      statements.add(statement);
      isGrowing = true;
    }
  }
  const within = spans();
  const names = used(within);
  const usedImports = imports.filter(({ local }) => names.has(local));
  const isExclusive = (each: ImportedName): boolean => isOnlyIn(each.local, [...within, spanOf(tree, each.node)]);
  const exclusiveNames = new Set([...statements].flatMap(declaredNames));
  return {
    statements: tree.statements.filter((each) => statements.has(each)),
    imports: usedImports.filter(isExclusive),
    sharedImports: usedImports.filter((each) => !isExclusive(each)),
    sharedDeclarations: new Map([...declarations].filter(([name]) => names.has(name) && !exclusiveNames.has(name))),
    freeNames: new Set(
      [...names].filter((name) => !declarations.has(name) && usedImports.every(({ local }) => local !== name)),
    ),
  };
}
