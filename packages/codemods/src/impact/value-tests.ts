import type { CodePlace } from "@plumbline/kit/diff";
import { ts } from "ts-morph";
import { declarationOf, resolveConstant, unwrap } from "./expressions.js";
import type { PartReader } from "./part-reader.js";

type Certainty = CodePlace["certainty"];

/** Whether a value that is written is one that is no longer accepted. Undefined: it is not. */
export type ValueTest = (value: ts.Expression | undefined, reader: PartReader) => Certainty | undefined;

/** The strongest result of a test of the values that an expression may have: those of a condition's branches, or of its fallback. */
function ofBranches(
  value: ts.Expression,
  reader: PartReader,
  test: (branch: ts.Expression) => Certainty | undefined,
): Certainty | undefined {
  const node = resolveConstant(unwrap(value), reader.checker);
  const branches = ts.isConditionalExpression(node)
    ? [node.whenTrue, node.whenFalse]
    : ts.isBinaryExpression(node) && node.operatorToken.kind !== ts.SyntaxKind.PlusToken
      ? [node.left, node.right]
      : undefined;
  if (branches === undefined) return test(node);
  const outcomes = branches.map((each) => ofBranches(each, reader, test));
  return outcomes.find((each) => each === "certain") ?? outcomes.find((each) => each !== undefined);
}

/** The text itself is written. */
export function isText(text: string): ValueTest {
  return (value, reader) => (mayBeText(text)(value, reader) === "certain" ? "certain" : undefined);
}

/** The text is written, or a value of a type with it. */
export function mayBeText(text: string): ValueTest {
  return (value, reader) => {
    if (value === undefined) return "possible";
    if (ts.isAsExpression(value) && !mentionsApi(value.type, reader)) {
      const branches = branchesOf(reader.checker.getTypeFromTypeNode(value.type));
      if (branches.some((each) => each.isStringLiteral() && each.value === text)) return "certain";
    }
    return ofBranches(value, reader, (node) => {
      if (ts.isStringLiteralLike(node)) return node.text === text ? "certain" : undefined;
      if (ts.isArrayLiteralExpression(node))
        return strongest(node.elements.map((each) => mayBeText(text)(each, reader)));
      const branches = branchesOf(reader.checker.getTypeAtLocation(node));
      const isListed = branches.some((each) => each.isStringLiteral() && each.value === text);
      if (isListed) return branches.length === 1 || isTypedByUser(node, reader) ? "certain" : "possible";
      return branches.some(isOpen) ? "possible" : undefined;
    });
  };
}

export const mayBeNull: ValueTest = (value, reader) => {
  if (value === undefined) return "possible";
  return ofBranches(value, reader, (node) => {
    if (node.kind === ts.SyntaxKind.NullKeyword) return "certain";
    const branches = branchesOf(reader.checker.getTypeAtLocation(node));
    if (branches.some((each) => each.flags & ts.TypeFlags.Null))
      return isTypedByUser(node, reader) ? "certain" : "possible";
    return branches.some((each) => each.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) ? "possible" : undefined;
  });
};

/** The value is outside of a bound, such as `maximum 100` or `maxItems 5`, as far as it is known. */
export function isOutside(bound: string | undefined): ValueTest {
  const [, keyword = "", text = ""] = /^(\w+) (-?[\d.]+)$/.exec(bound ?? "") ?? [];
  return (value, reader) => {
    if (value === undefined || text === "") return "possible";
    return ofBranches(value, reader, (node) => {
      const size = sizeOf(node);
      if (size === undefined) return "possible";
      const limit = Number(text);
      if (keyword.startsWith("exclusiveMin")) return size <= limit ? "certain" : undefined;
      if (keyword.startsWith("exclusiveMax")) return size >= limit ? "certain" : undefined;
      return (keyword.startsWith("min") ? size < limit : size > limit) ? "certain" : undefined;
    });
  };
}

/** What a bound limits: the value of a number, or the length of a text or an array. Undefined where it is not known. */
function sizeOf(node: ts.Expression): number | undefined {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (
    ts.isPrefixUnaryExpression(node) &&
    ts.isNumericLiteral(node.operand) &&
    node.operator === ts.SyntaxKind.MinusToken
  )
    return -Number(node.operand.text);
  if (ts.isStringLiteralLike(node)) return node.text.length;
  const isList = ts.isArrayLiteralExpression(node) && !node.elements.some(ts.isSpreadElement);
  return isList ? node.elements.length : undefined;
}

function strongest(certainties: readonly (Certainty | undefined)[]): Certainty | undefined {
  return certainties.includes("certain") ? "certain" : certainties.find((each) => each !== undefined);
}

function branchesOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function isOpen({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.String | ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
}

/** Every value, except one with a type of the API, which changes with it. */
export const isOfOldType: ValueTest = (value, reader) => {
  const type = value && writtenType(unwrap(value), reader);
  return type !== undefined && mentionsApi(type, reader) ? undefined : "certain";
};

/** Whether the user has written the type of a variable or parameter, and not with a type of the API, which changes with it. */
function isTypedByUser(node: ts.Expression, reader: PartReader): boolean {
  const type = writtenType(node, reader);
  return type !== undefined && !mentionsApi(type, reader);
}

/** The type that is written beside a variable or parameter, or beside the pattern that it is in. */
function writtenType(node: ts.Expression, { checker }: PartReader): ts.TypeNode | undefined {
  let declaration: ts.Node | undefined = ts.isIdentifier(node) ? declarationOf(node, checker) : undefined;
  while (declaration && (ts.isBindingElement(declaration) || ts.isObjectBindingPattern(declaration)))
    declaration = declaration.parent;
  return declaration && (ts.isParameter(declaration) || ts.isVariableDeclaration(declaration))
    ? declaration.type
    : undefined;
}

/** Whether a type is made of one of the API, also through the user's own names. */
function mentionsApi(node: ts.Node, reader: PartReader, depth = 0): boolean {
  const { checker, ofSymbol, property } = reader;
  if (ts.isIndexedAccessTypeNode(node)) {
    const properties = property(checker.getTypeFromTypeNode(node.objectType), indexText(node));
    if (properties.some((symbol) => ofSymbol(symbol).length > 0)) return true;
  }
  if (ts.isTypeReferenceNode(node)) {
    const symbol = checker.getSymbolAtLocation(node.typeName);
    if (ofSymbol(symbol).length > 0) return true;
    const actual = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const aliases = (actual?.declarations ?? []).filter(ts.isTypeAliasDeclaration);
    if (depth < 5 && aliases.some(({ type }) => mentionsApi(type, reader, depth + 1))) return true;
  }
  return ts.forEachChild(node, (each) => mentionsApi(each, reader, depth) || undefined) ?? false;
}

function indexText({ indexType }: ts.IndexedAccessTypeNode): string {
  return ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal) ? indexType.literal.text : "";
}
