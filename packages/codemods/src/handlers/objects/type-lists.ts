import { ts } from "ts-morph";
import { indentAt, lineStart, styleOf } from "../syntax/source-style.js";
import type { TextEdit } from "../syntax/text-edits.js";

/** The names of operations in a type, such as `"listPets" | "getPet"` of `Pick<Handlers, "listPets" | "getPet">`. */
export interface TypeList {
  readonly node: ts.TypeNode;
  readonly literals: readonly { readonly name: string; readonly node: ts.LiteralTypeNode }[];
  /** The type that the list is an argument of. */
  readonly reference: ts.TypeReferenceNode | ts.ExpressionWithTypeArguments;
}

/** Returns the lists of names in a type. Aliases of the same file are followed. */
export function findTypeLists(tree: ts.SourceFile, type: ts.Node): readonly TypeList[] {
  const lists: TypeList[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node))
      for (const argument of node.typeArguments ?? []) {
        const target = followAlias(tree, argument);
        const literals = literalsOf(target);
        if (literals !== undefined) lists.push({ node: target, literals, reference: node });
      }
    ts.forEachChild(node, visit);
  };
  visit(type);
  return lists;
}

function followAlias(tree: ts.SourceFile, type: ts.TypeNode): ts.TypeNode {
  if (!ts.isTypeReferenceNode(type) || type.typeArguments !== undefined || !ts.isIdentifier(type.typeName)) return type;
  const { text } = type.typeName;
  const alias = tree.statements.find(
    (each): each is ts.TypeAliasDeclaration => ts.isTypeAliasDeclaration(each) && each.name.text === text,
  );
  return alias?.type ?? type;
}

/** The literals of a union of strings, also of one string and of `never`; undefined for other types. */
function literalsOf(type: ts.TypeNode): TypeList["literals"] | undefined {
  if (type.kind === ts.SyntaxKind.NeverKeyword) return [];
  const members = ts.isUnionTypeNode(type) ? type.types : [type];
  const literals = members.flatMap((node) =>
    ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? [{ name: node.literal.text, node }] : [],
  );
  return literals.length === members.length ? literals : undefined;
}

/** The end of the text before a position, without the spaces between both. */
function endOfText({ text }: ts.SourceFile, position: number): number {
  return text.slice(0, position).trimEnd().length;
}

/** Returns the edit that adds names to a list. */
export function addToList(tree: ts.SourceFile, { node, literals }: TypeList, names: readonly string[]): TextEdit {
  const texts = names.map((name) => JSON.stringify(name));
  const last = literals.at(-1)?.node;
  if (last === undefined) {
    const start = node.getStart(tree);
    const line = texts.join(" | ");
    if (line.length <= maxListColumns) return { start, end: node.end, text: line };
    const { lineBreak, indent } = styleOf(tree.text);
    const outer = indentAt(tree.text, start);
    const lines = texts.map((each) => `${lineBreak}${outer}${indent}| ${each}`).join("");
    return { start: endOfText(tree, start), end: node.end, text: lines + lineBreak + outer };
  }
  const { text } = tree;
  const line = text.slice(lineStart(text, last.getStart(tree)), last.getStart(tree));
  const isOwnLine = /^[ \t]*\|[ \t]*$/.test(line);
  const between = isOwnLine ? `${styleOf(text).lineBreak}${indentAt(text, last.getStart(tree))}| ` : " | ";
  return { start: last.end, end: last.end, text: texts.map((each) => between + each).join("") };
}

/** Returns the edits that remove names from a list. */
export function removeFromList(tree: ts.SourceFile, list: TypeList, names: readonly string[]): readonly TextEdit[] {
  const removed = list.literals.filter(({ name }) => names.includes(name));
  if (removed.length === 0) return [];
  const remaining = list.literals.filter(({ name }) => !names.includes(name));
  if (remaining.length === 0) return [{ start: list.node.getStart(tree), end: list.node.end, text: "never" }];
  return removed.map(({ node }) => {
    const index = list.literals.findIndex((each) => each.node === node);
    const isHead = list.literals.slice(0, index).every(({ name }) => names.includes(name));
    const next = list.literals[index + 1]?.node;
    if (isHead && next !== undefined) return { start: node.getStart(tree), end: next.getStart(tree), text: "" };
    return { start: list.literals[index - 1]?.node.end ?? node.getStart(tree), end: node.end, text: "" };
  });
}

/** A longer list has a line for each name. */
const maxListColumns = 60;
