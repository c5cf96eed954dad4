import { ts } from "ts-morph";
import { declaredNames } from "../../../handlers/syntax/references.js";

/** Finds names for results that nothing else in a file has. */
export interface ResultNames {
  readonly find: (declaration: ts.Node, operation: string) => string;
}

/** Creates the names of the results in all files. */
export function createResultNames(): ResultNames {
  const namesByFile = new Map<ts.SourceFile, { readonly name: string; readonly scope: ts.Node }[]>();
  return {
    find(declaration, operation) {
      const file = declaration.getSourceFile();
      const scope = scopeOf(declaration);
      const names = namesByFile.get(file) ?? [];
      const isFree = (name: string): boolean =>
        !file.statements.some((each) => declaredNames(each).includes(name)) &&
        !mentions(outermostFunction(scope), name) &&
        !names.some((each) => each.name === name && (contains(each.scope, scope) || contains(scope, each.scope)));
      const longer = `${operation}Result`;
      const candidates = ["result", longer, ...Array.from({ length: 1000 }, (_, index) => `${longer}${index + 2}`)];
      const name = candidates.find(isFree) ?? longer;
      namesByFile.set(file, [...names, { name, scope }]);
      return name;
    },
  };
}

/** The block or function that a declaration is visible in. */
function scopeOf(declaration: ts.Node): ts.Node {
  let at = ts.isParameter(declaration) ? declaration.parent : declaration;
  while (!ts.isSourceFile(at) && !ts.isBlock(at) && !ts.isFunctionLike(at) && !ts.isCaseClause(at)) at = at.parent;
  return at;
}

function contains(outer: ts.Node, inner: ts.Node): boolean {
  return outer.pos <= inner.pos && inner.end <= outer.end;
}

/** The function at the top of a file that contains a node, or the node itself. */
function outermostFunction(node: ts.Node): ts.Node {
  let scope = node;
  for (let at = node; !ts.isSourceFile(at); at = at.parent) if (ts.isFunctionLike(at)) scope = at;
  return scope;
}

function mentions(node: ts.Node, name: string): boolean {
  if (ts.isIdentifier(node)) return node.text === name;
  return ts.forEachChild(node, (each) => mentions(each, name) || undefined) ?? false;
}
