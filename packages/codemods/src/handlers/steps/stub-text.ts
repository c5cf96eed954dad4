import { ts } from "ts-morph";
import type { HandlerStub } from "../handler-request.js";
import type { TypeList } from "../objects/type-lists.js";
import { rangeOf } from "../syntax/node-range.js";

/** The text of a stub in an object. */
export function objectStub({ comment, key, value }: HandlerStub): string {
  return `${comment}\n${key}: ${value},`;
}

/** The text of a stub in a class, whose type comes from the types that the class implements. */
export function classStub(
  tree: ts.SourceFile,
  { comment, key, value }: HandlerStub,
  list: TypeList,
  name: string,
): string {
  const { reference, node } = list;
  const literal = JSON.stringify(name);
  const [first] = reference.typeArguments ?? [];
  const isPick = /^Pick\b/.test(reference.getText(tree)) && first !== undefined && first !== node;
  const start = reference.getStart(tree);
  const isInside = node.pos >= reference.pos && node.end <= reference.end;
  const whole = isInside
    ? tree.text.slice(start, node.getStart(tree)) + literal + tree.text.slice(node.end, reference.end)
    : reference.getText(tree);
  const type = isPick ? first.getText(tree) : whole;
  return `${comment}\n${key}: ${type}[${literal}] = ${value};`;
}

/**
 * The fingerprint of a handler with its comments, which formatters do not change: a hash of its tokens. Types of a property of a class do not
 * count.
 */
export function fingerprint(text: string): string {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false);
  scanner.setText(text);
  const tokens: string[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === ts.SyntaxKind.WhitespaceTrivia || kind === ts.SyntaxKind.NewLineTrivia) continue;
    if (kind === ts.SyntaxKind.CommaToken || kind === ts.SyntaxKind.SemicolonToken) continue;
    if (kind === ts.SyntaxKind.StringLiteral) tokens.push(JSON.stringify(scanner.getTokenValue()));
    else if (kind === ts.SyntaxKind.MultiLineCommentTrivia || kind === ts.SyntaxKind.SingleLineCommentTrivia)
      tokens.push(scanner.getTokenText().replaceAll(/[\s*]+/g, " "));
    else tokens.push(scanner.getTokenText());
  }
  return hashText(tokens.join("\n"));
}

/** The fingerprint of a handler in a file. */
export function fingerprintOf(tree: ts.SourceFile, node: ts.Node): string {
  const { start, end } = rangeOf(tree, node);
  const text = tree.text.slice(start, end);
  if (!ts.isPropertyDeclaration(node) || node.type === undefined) return fingerprint(text);
  const untyped = tree.text.slice(start, node.type.pos - 1) + tree.text.slice(node.type.end, end);
  return fingerprint(untyped.replace(" =", ":"));
}

/** FNV-1a of 32 bits, twice with different seeds: enough to tell texts of one operation apart. */
function hashText(text: string): string {
  const hash = (seed: number): string => {
    let value = seed;
    for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
    return (value >>> 0).toString(16).padStart(8, "0");
  };
  return hash(0x811c9dc5) + hash(0x9dc5811c);
}
