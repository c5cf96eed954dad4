import { pascalCase } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import type { TextEdit } from "../handlers/syntax/text-edits.js";
import { isIdentifierName, quoteAs, toKey } from "./code-text.js";

/** A renaming of an operation or a type. */
interface Renaming {
  readonly from: string;
  readonly to: string;
  readonly file: ts.SourceFile;
}

/** Renames a mention of an operation or type. Functions for query libraries keep their ending. */
export function renameMention(node: ts.Node, { from, to, file }: Renaming): readonly TextEdit[] | undefined {
  const text = node.getText(file);
  const unquoted = text.replace(/^['"`]/, "");
  // Types of an operation begin with its name in Pascal case.
  const pair = [
    [from, to],
    [pascalCase(from) ?? from, pascalCase(to) ?? to],
  ].find(([old = ""]) => unquoted.startsWith(old));
  const [before = "", after = ""] = pair ?? [];
  if (pair === undefined || before === after) return undefined;
  const replaced = `${text.slice(0, text.length - unquoted.length)}${after}${unquoted.slice(before.length)}`;
  // Where the file has the new name already, the import keeps the old one for this file.
  if (ts.isIdentifier(node) && hasName(file, replaced))
    return ts.isImportSpecifier(node.parent) && node.parent.propertyName === undefined
      ? [replaceNode(node, `${replaced} as ${text}`)]
      : [];
  if (ts.isShorthandPropertyAssignment(node.parent)) return [replaceNode(node, `${text}: ${replaced}`)];
  return [replaceNode(node, replaced)];
}

function hasName(file: ts.SourceFile, name: string): boolean {
  const find = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && node.text === name) ||
    (ts.forEachChild(node, (each) => find(each) || undefined) ?? false);
  return find(file);
}

/** Renames a property where it is read, written, destructured or named in a type. */
export function renameProperty(node: ts.Node, from: string, to: string): readonly TextEdit[] | undefined {
  const { parent } = node;
  const isName = isIdentifierName(to);
  const key = toKey(to);
  if (ts.isLiteralTypeNode(node) || ts.isUnionTypeNode(node)) return renameInType(node, from, to);
  if (ts.isStringLiteralLike(node))
    return node.text === from ? [replaceNode(node, quoteAs(node.getText(), to))] : undefined;
  if (!ts.isIdentifier(node) || node.text !== from) return undefined;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    if (isName) return [replaceNode(node, to)];
    const dot = parent.questionDotToken === undefined ? "" : "?.";
    return [{ start: parent.expression.getEnd(), end: node.getEnd(), text: `${dot}[${key}]` }];
  }
  if (ts.isShorthandPropertyAssignment(parent)) return [replaceNode(node, `${key}: ${node.text}`)];
  if (ts.isBindingElement(parent))
    return [replaceNode(node, parent.propertyName === node ? key : `${key}: ${node.text}`)];
  return ts.isPropertyAssignment(parent) && parent.name === node ? [replaceNode(node, key)] : undefined;
}

function renameInType(node: ts.TypeNode, from: string, to: string): readonly TextEdit[] | undefined {
  const literals = ts.isUnionTypeNode(node) ? node.types : [node];
  const edits = literals.flatMap((each) => {
    const literal = ts.isLiteralTypeNode(each) ? each.literal : undefined;
    return literal && ts.isStringLiteral(literal) && literal.text === from
      ? [replaceNode(literal, quoteAs(literal.getText(), to))]
      : [];
  });
  return edits.length === 0 ? undefined : edits;
}

/** The edit that replaces a node. */
export function replaceNode(node: ts.Node, text: string): TextEdit {
  return { start: node.getStart(), end: node.getEnd(), text };
}
