import { ts } from "ts-morph";
import type { TextEdit } from "../handlers/syntax/text-edits.js";
import type { CodeUse } from "../impact/code-use.js";
import { unwrap } from "../impact/expressions.js";
import { quoteAs, toKey } from "./code-text.js";
import { replaceNode } from "./rename-edits.js";

/** Renames a value of an `enum` where code writes it or compares with it. Undefined where it is not in this place. */
export function renameValue(use: CodeUse, from: string, to: string): readonly TextEdit[] | undefined {
  if (use.kind === "compare") return toEdits(renameLiteral(use.node, from, to));
  if (use.kind !== "write" || use.value === undefined) return undefined;
  return toEdits(renameInValue(use.value, from, to));
}

function toEdits(edits: readonly TextEdit[]): readonly TextEdit[] | undefined {
  return edits.length === 0 ? undefined : edits;
}

/** The value as a literal, or as the name of an entry: `{ ok: "Fine" }`. */
function renameLiteral(node: ts.Node, from: string, to: string): readonly TextEdit[] {
  if (ts.isStringLiteralLike(node) && node.text === from) return [replaceNode(node, quoteAs(node.getText(), to))];
  const isKey = ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node;
  return isKey && node.text === from ? [replaceNode(node, toKey(to))] : renameInConstant(node, from, to);
}

/** The literals that a value may be: branches of a condition, fallbacks, and items of an array. */
function renameInValue(value: ts.Expression, from: string, to: string): readonly TextEdit[] {
  const node = unwrap(value);
  const parts = ts.isConditionalExpression(node)
    ? [node.whenTrue, node.whenFalse]
    : ts.isBinaryExpression(node) && node.operatorToken.kind !== ts.SyntaxKind.PlusToken
      ? [node.left, node.right]
      : ts.isArrayLiteralExpression(node)
        ? node.elements
        : undefined;
  return parts === undefined ? renameLiteral(node, from, to) : parts.flatMap((each) => renameInValue(each, from, to));
}

/** A constant that is used in just one place, and has no written type. */
function renameInConstant(node: ts.Node, from: string, to: string): readonly TextEdit[] {
  if (!ts.isIdentifier(node)) return [];
  const declarations: ts.VariableDeclaration[] = [];
  let mentions = 0;
  const visit = (at: ts.Node): void => {
    if (ts.isIdentifier(at) && at.text === node.text) mentions++;
    if (ts.isVariableDeclaration(at) && at.name.getText() === node.text) declarations.push(at);
    ts.forEachChild(at, visit);
  };
  visit(node.getSourceFile());
  const [declaration] = declarations;
  const value = declaration?.type === undefined ? declaration?.initializer : undefined;
  // The declaration and this place. An exported constant has others elsewhere.
  const isLocal = mentions === 2 && declarations.length === 1 && !isExported(declaration);
  if (!isLocal || value === undefined) return [];
  const literal = unwrap(value);
  return ts.isStringLiteralLike(literal) && literal.text === from
    ? [replaceNode(literal, quoteAs(literal.getText(), to))]
    : [];
}

function isExported(declaration: ts.VariableDeclaration | undefined): boolean {
  const statement = declaration?.parent.parent;
  const isStatement = statement !== undefined && ts.isVariableStatement(statement);
  return isStatement && (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}
