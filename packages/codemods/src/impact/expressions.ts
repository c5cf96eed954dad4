import { ts } from "ts-morph";

/** The expression without parentheses, `as`, `satisfies` and `!`. */
export function unwrap(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node);
  return isWrapped ? unwrap(node.expression) : node;
}

/** The text of a name or a literal. Undefined for anything else. */
export function readText(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) return isName(node) ? node.text : undefined;
  if (ts.isComputedPropertyName(node)) return readText(node.expression);
  return ts.isStringLiteralLike(node) || ts.isNumericLiteral(node) ? node.text : undefined;
}

/** True for an identifier that is a name in itself, and not a variable with an unknown text. */
function isName(node: ts.MemberName): boolean {
  const { parent } = node;
  return "name" in parent && (parent.name === node || ("propertyName" in parent && parent.propertyName === node));
}

/** How an expression is written to: with a value, or in another way, such as `delete`. Undefined: it is read. */
export function isWritten(node: ts.Expression): { readonly value: ts.Expression | undefined } | undefined {
  const { parent } = node;
  if (ts.isDeleteExpression(parent)) return { value: undefined };
  if (ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent.operatorToken.kind))
    return { value: parent.operatorToken.kind === ts.SyntaxKind.EqualsToken ? parent.right : undefined };
  return undefined;
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

const fallbacks: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
]);

/** Whether the code around an expression expects that its value is absent or null. */
export function isGuarded(node: ts.Expression): boolean {
  const { parent } = node;
  const isOptional = "questionDotToken" in parent && parent.questionDotToken !== undefined;
  if (isOptional && "expression" in parent && parent.expression === node) return true;
  if (ts.isBinaryExpression(parent) && parent.left === node && fallbacks.has(parent.operatorToken.kind)) return true;
  return isCondition(node) || isInGuardedBranch(node);
}

/** Whether the code in a function expects that a variable is absent or null. */
export function isGuardedVariable(name: ts.Identifier): boolean {
  let at: ts.Node = name;
  while (!ts.isSourceFile(at) && !ts.isBlock(at) && !ts.isArrowFunction(at)) at = at.parent;
  const text = name.text.replaceAll("$", String.raw`\$`);
  return new RegExp(
    String.raw`\b${text}\s*(\?\.|\?\?|&&|\?\s|[!=]==?\s*(null|undefined)\b)|!${text}\b|if \(${text}\)`,
  ).test(at.getText());
}

/** Whether the expression itself is a condition or a part of one, or is compared with undefined or null. */
function isCondition(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isConditionalExpression(parent) || ts.isWhileStatement(parent))
    return (ts.isConditionalExpression(parent) ? parent.condition : parent.expression) === node;
  if (ts.isPrefixUnaryExpression(parent)) return parent.operator === ts.SyntaxKind.ExclamationToken;
  if (ts.isTypeOfExpression(parent)) return true;
  if (!ts.isBinaryExpression(parent)) return ts.isParenthesizedExpression(parent) && isCondition(parent);
  if (fallbacks.has(parent.operatorToken.kind)) return isCondition(parent);
  return /^(undefined|null)$/.test(parent.right.getText()) && /^[!=]==?$/.test(parent.operatorToken.getText());
}

/** Whether a condition around the expression mentions it: `if (pet.tags) pet.tags.map(...)`. */
function isInGuardedBranch(node: ts.Expression): boolean {
  const text = node.getText().replaceAll("?.", ".");
  for (let at: ts.Node = node; !ts.isSourceFile(at) && !ts.isFunctionDeclaration(at); at = at.parent) {
    const condition = conditionOf(at.parent, at);
    if (condition !== undefined && condition.getText().replaceAll("?.", ".").includes(text)) return true;
  }
  return false;
}

/** The condition that holds where a child is evaluated. */
function conditionOf(parent: ts.Node, child: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(parent) && parent.expression !== child) return parent.expression;
  if (ts.isConditionalExpression(parent) && parent.condition !== child) return parent.condition;
  if (ts.isBinaryExpression(parent) && parent.right === child && fallbacks.has(parent.operatorToken.kind))
    return parent.left;
  return undefined;
}

/** The value of a constant without a written type; any other expression itself. */
export function resolveConstant(node: ts.Expression, checker: ts.TypeChecker): ts.Expression {
  const declaration = ts.isIdentifier(node) ? declarationOf(node, checker) : undefined;
  const isConstant =
    declaration !== undefined &&
    ts.isVariableDeclaration(declaration) &&
    declaration.type === undefined &&
    declaration.initializer !== undefined &&
    (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
  return isConstant && declaration.initializer !== undefined ? unwrap(declaration.initializer) : node;
}

/** The declaration of a variable, also of one in a shorthand property. */
export function declarationOf(node: ts.Identifier, checker: ts.TypeChecker): ts.Declaration | undefined {
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  return symbol?.valueDeclaration;
}
