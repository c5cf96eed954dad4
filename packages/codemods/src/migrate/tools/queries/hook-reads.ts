import { ts } from "ts-morph";
import { importedNames } from "../../../handlers/syntax/imports.js";
import { resolveDeclaration } from "../client/generated-imports.js";
import type { CodeRecorder } from "../code-recorder.js";
import { referencesOf } from "../variable-references.js";

/** A mention of a member of a hook's result: `error`, or `query.error`. */
export interface MemberRead {
  readonly member: string;
  readonly node: ts.Expression;
}

/**
 * Finds what code reads of the result of a hook, also behind the functions that return it.
 *
 * @returns undefined if the result goes where its reads are not found
 */
export function findHookReads(node: ts.Expression, recorder: CodeRecorder): readonly MemberRead[] | undefined {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent)) return findHookReads(parent, recorder);
  if (ts.isExpressionStatement(parent)) return [];
  if (ts.isPropertyAccessExpression(parent)) return [{ member: parent.name.text, node: parent }];
  if (ts.isVariableDeclaration(parent)) return findInVariable(parent.name, recorder);
  if (ts.isReturnStatement(parent)) return findInCallers(enclosingFunction(parent), recorder);
  return ts.isArrowFunction(parent) && parent.body === node ? findInCallers(parent, recorder) : undefined;
}

function findInVariable(name: ts.BindingName, recorder: CodeRecorder): readonly MemberRead[] | undefined {
  if (ts.isArrayBindingPattern(name)) return undefined;
  if (ts.isIdentifier(name))
    return flatten(referencesOf(name, recorder.checker).map((each) => findHookReads(each, recorder)));
  const reads: MemberRead[] = [];
  for (const { name: local, propertyName, dotDotDotToken } of name.elements) {
    const member = (propertyName ?? local).getText();
    if (dotDotDotToken !== undefined) return undefined;
    if (ts.isIdentifier(local)) reads.push(...referencesOf(local, recorder.checker).map((node) => ({ member, node })));
    else if (member !== "data") return undefined;
  }
  return reads;
}

function flatten(all: readonly (readonly MemberRead[] | undefined)[]): readonly MemberRead[] | undefined {
  return all.every((each) => each !== undefined) ? all.flat() : undefined;
}

function enclosingFunction(node: ts.Node): ts.Node {
  let at = node.parent;
  while (!ts.isFunctionLike(at) && !ts.isSourceFile(at)) at = at.parent;
  return at;
}

/** What the callers of a function with a name read of its result. */
function findInCallers(callee: ts.Node, recorder: CodeRecorder): readonly MemberRead[] | undefined {
  const declaration = ts.isFunctionDeclaration(callee) ? callee : callee.parent;
  const name =
    ts.isFunctionDeclaration(declaration) || ts.isVariableDeclaration(declaration) ? declaration.name : undefined;
  if (name === undefined || !ts.isIdentifier(name)) return undefined;
  if (recorder.outsideFiles.some(({ text }) => text.includes(name.text))) return undefined;
  return flatten(
    mentionsOf(declaration as ts.Declaration, name.text, recorder).map((each) => {
      const isCall = ts.isCallExpression(each.parent) && each.parent.expression === each;
      return isCall ? findHookReads(each.parent, recorder) : undefined;
    }),
  );
}

/** The mentions of a declaration in all files, without imports and exports. */
export function mentionsOf(
  declaration: ts.Declaration,
  name: string,
  recorder: CodeRecorder,
): readonly ts.Identifier[] {
  const mentions: ts.Identifier[] = [];
  for (const file of recorder.files) {
    const locals = new Set([
      name,
      ...importedNames(file).flatMap(({ imported, local }) => (imported === name ? [local] : [])),
    ]);
    const visit = (node: ts.Node): void => {
      const isMention = ts.isIdentifier(node) && locals.has(node.text) && !isDeclared(node);
      if (isMention && resolveDeclaration(node, recorder.checker) === declaration) mentions.push(node);
      ts.forEachChild(node, visit);
    };
    if (file.text.includes(name)) visit(file);
  }
  return mentions;
}

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  const isName = (ts.isVariableDeclaration(parent) || ts.isFunctionDeclaration(parent)) && parent.name === node;
  return isName || ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent);
}
