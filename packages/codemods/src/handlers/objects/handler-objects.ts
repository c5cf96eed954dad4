import { ts } from "ts-morph";
import { findTypeLists, type TypeList } from "./type-lists.js";

/** A handler, where it stands. */
export interface HandlerMember {
  readonly name: string;
  readonly node: ts.ObjectLiteralElementLike | ts.ClassElement;
}

/** An object or a class with handlers. */
export interface HandlerObject {
  readonly node: ts.ObjectLiteralExpression | ts.ClassLikeDeclaration;
  /** The names of the file that lead to it, such as those of a class and of its instance. */
  readonly names: readonly string[];
  readonly lists: readonly TypeList[];
  readonly members: readonly HandlerMember[];
  /** True for an object with the handlers of all tags. */
  readonly isComplete: boolean;
  /** True if other handlers come from elsewhere: by a spread, or from a parent class. */
  readonly hasOthers: boolean;
}

export interface HandlerObjectOptions {
  /** True for the name of an operation, now or in the previous run. */
  readonly isOperation: (name: string) => boolean;
  /** Names of objects that have handlers whatever their types are. */
  readonly objectNames: ReadonlySet<string>;
}

/** Finds the objects and classes with handlers of a file: by their types, or by their names. */
export function findHandlerObjects(tree: ts.SourceFile, options: HandlerObjectOptions): readonly HandlerObject[] {
  const byNode = new Map<HandlerObject["node"], { names: string[]; types: ts.Node[] }>();
  for (const { name, resolved } of findCandidates(tree)) {
    const entry = byNode.get(resolved.node) ?? { names: [], types: [] };
    byNode.set(resolved.node, {
      names: name === undefined ? entry.names : [...entry.names, name],
      types: [...new Set([...entry.types, ...resolved.types])],
    });
  }
  return [...byNode].flatMap(([node, { names, types }]) => {
    const isNamed = names.some((name) => options.objectNames.has(name));
    const lists = uniqueLists(types.flatMap((type) => findTypeLists(tree, type))).filter(
      ({ literals, reference }) =>
        literals.some(({ name }) => options.isOperation(name)) ||
        (literals.length === 0 && (isNamed || /Handlers/.test(reference.getText(tree)))),
    );
    const isComplete = lists.length === 0 && types.some((type) => isCompleteType(type));
    if (lists.length === 0 && !isComplete && !isNamed) return [];
    return [{ node, names, lists, isComplete, ...membersOf(tree, node, 0) }];
  });
}

interface Candidate {
  /** The name at the top of the file. Absent for objects in functions. */
  readonly name: string | undefined;
  readonly resolved: Resolved;
}

/** The objects and classes of a file that have a name or a type. */
function findCandidates(tree: ts.SourceFile): readonly Candidate[] {
  const candidates: Candidate[] = [];
  const add = (resolved: Resolved | undefined, name?: string): void => {
    if (resolved !== undefined) candidates.push({ name, resolved });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node)) {
      const isTop = node.parent.parent.parent === tree;
      add(resolveVariable(tree, node, 0), isTop ? node.name.getText(tree) : undefined);
    } else if (ts.isClassDeclaration(node)) add(resolveClass(node), node.parent === tree ? node.name?.text : undefined);
    else if (ts.isExportAssignment(node)) add(resolveExpression(tree, node.expression, 0), "default");
    else if (ts.isSatisfiesExpression(node)) add(resolveExpression(tree, node, 0));
    else if (ts.isFunctionLike(node) && node.type !== undefined)
      for (const value of returnedValues(node)) add(withType(resolveExpression(tree, value, 0), node.type));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return candidates;
}

/** What a function returns, without what functions inside of it return. */
function returnedValues(node: ts.SignatureDeclaration): readonly ts.Expression[] {
  if (!("body" in node) || node.body === undefined) return [];
  if (!ts.isBlock(node.body)) return [node.body];
  const expressions: ts.Expression[] = [];
  const visit = (inner: ts.Node): void => {
    if (ts.isReturnStatement(inner) && inner.expression !== undefined) expressions.push(inner.expression);
    if (!ts.isFunctionLike(inner) && !ts.isClassLike(inner)) ts.forEachChild(inner, visit);
  };
  ts.forEachChild(node.body, visit);
  return expressions;
}

function uniqueLists(lists: readonly TypeList[]): readonly TypeList[] {
  return [...new Map(lists.map((list) => [list.node, list] as const)).values()];
}

/** `Handlers`, `Handlers<…>`, and `Partial` of one. */
function isCompleteType(type: ts.Node): boolean {
  if (!ts.isTypeReferenceNode(type) && !ts.isExpressionWithTypeArguments(type)) return false;
  const name = ts.isTypeReferenceNode(type) ? type.typeName : type.expression;
  if (!ts.isIdentifier(name)) return false;
  const [inner] = type.typeArguments ?? [];
  return (
    name.text === "Handlers" ||
    (/^(?:Partial|Required|Readonly)$/.test(name.text) && inner !== undefined && isCompleteType(inner))
  );
}

interface Resolved {
  readonly node: HandlerObject["node"];
  readonly types: readonly ts.Node[];
}

/** How many names an object may be behind. */
const maxAliases = 8;

function resolveVariable(
  tree: ts.SourceFile,
  declaration: ts.VariableDeclaration,
  depth: number,
): Resolved | undefined {
  if (!ts.isIdentifier(declaration.name) || declaration.initializer === undefined) return undefined;
  return withType(resolveExpression(tree, declaration.initializer, depth), declaration.type);
}

function resolveExpression(tree: ts.SourceFile, node: ts.Expression, depth: number): Resolved | undefined {
  if (depth > maxAliases) return undefined;
  if (ts.isObjectLiteralExpression(node)) return { node, types: [] };
  if (ts.isClassExpression(node)) return resolveClass(node);
  if (ts.isSatisfiesExpression(node) || ts.isAsExpression(node))
    return withType(resolveExpression(tree, node.expression, depth), node.type);
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node))
    return resolveExpression(tree, node.expression, depth);
  if (ts.isNewExpression(node)) return resolveExpression(tree, node.expression, depth);
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const { text } = node.expression;
    const called = tree.statements.find(
      (each): each is ts.FunctionDeclaration => ts.isFunctionDeclaration(each) && each.name?.text === text,
    );
    const [value] = called === undefined ? [] : returnedValues(called);
    if (value !== undefined) return withType(resolveExpression(tree, value, depth + 1), called?.type);
  }
  // Such as Object.freeze({ … }).
  if (ts.isCallExpression(node) && node.arguments.length === 1 && node.arguments[0] !== undefined)
    return resolveExpression(tree, node.arguments[0], depth);
  if (!ts.isIdentifier(node)) return undefined;
  for (const statement of tree.statements) {
    if (ts.isClassDeclaration(statement) && statement.name?.text === node.text) return resolveClass(statement);
    if (!ts.isVariableStatement(statement)) continue;
    const declared = statement.declarationList.declarations.find(({ name }) => name.getText(tree) === node.text);
    if (declared !== undefined) return resolveVariable(tree, declared, depth + 1);
  }
  return undefined;
}

function resolveClass(node: ts.ClassLikeDeclaration): Resolved {
  const clauses = node.heritageClauses?.filter(({ token }) => token === ts.SyntaxKind.ImplementsKeyword) ?? [];
  return { node, types: clauses.flatMap(({ types }) => types) };
}

function withType(resolved: Resolved | undefined, type: ts.TypeNode | undefined): Resolved | undefined {
  return resolved && type ? { ...resolved, types: [...resolved.types, type] } : resolved;
}

function membersOf(
  tree: ts.SourceFile,
  node: HandlerObject["node"],
  depth: number,
): Pick<HandlerObject, "members" | "hasOthers"> {
  const members: HandlerMember[] = [];
  let hasOthers =
    !ts.isObjectLiteralExpression(node) &&
    (node.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword) ?? false);
  const elements = ts.isObjectLiteralExpression(node) ? node.properties : node.members;
  for (const each of elements) {
    if (ts.isSpreadAssignment(each)) {
      const inner = depth < maxAliases ? resolveExpression(tree, each.expression, 0) : undefined;
      if (inner === undefined || !ts.isObjectLiteralExpression(inner.node)) hasOthers = true;
      else {
        const spread = membersOf(tree, inner.node, depth + 1);
        members.push(...spread.members);
        hasOthers ||= spread.hasOthers;
      }
      continue;
    }
    const name = memberName(each);
    if (name !== undefined && !ts.isSemicolonClassElement(each)) members.push({ name, node: each });
  }
  return { members, hasOthers };
}

function memberName({ name }: ts.ObjectLiteralElementLike | ts.ClassElement): string | undefined {
  if (name === undefined) return undefined;
  if (ts.isIdentifier(name) || ts.isStringLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteral(name.expression) ? name.expression.text : undefined;
}
