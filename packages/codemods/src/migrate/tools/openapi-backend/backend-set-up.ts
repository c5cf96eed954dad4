import { camelCase, type Api } from "@plumbline/model";
import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";
import type { ImportedName } from "../../../handlers/syntax/imports.js";
import { resolveSymbol } from "../express/resolve-symbol.js";

/** A handler as it was registered: under the id of an operation, or another name of the tool. */
export interface RegisteredHandler {
  /** The name in the generated server: that of an operation, or the tool's own. */
  readonly name: string;
  /** The property of an object, or the function of a call. */
  readonly node: ts.Node;
  readonly value: ts.Node;
}

/** An instance of the tool with all that registers its handlers. */
export interface BackendSetUp {
  readonly declaration: ts.VariableDeclaration;
  readonly statement: ts.VariableStatement;
  readonly options: ts.ObjectLiteralExpression;
  readonly handlers: readonly RegisteredHandler[];
  readonly securityHandlers: readonly RegisteredHandler[];
  /** The statements that register handlers, beside the declaration. */
  readonly registrations: readonly ts.Statement[];
  /** `api.init()` */
  readonly initializations: readonly ts.Statement[];
  /** Other references to the instance. */
  readonly others: readonly ts.Identifier[];
}

/** Reads a set-up from `new OpenAPIBackend({…})`. Returns why it cannot be read. */
export function readSetUp(
  creation: ts.NewExpression,
  {
    api,
    checker,
    files,
  }: { readonly api: Api; readonly checker: ts.TypeChecker; readonly files: readonly ts.SourceFile[] },
): BackendSetUp | string {
  const declaration = creation.parent;
  const [given] = creation.arguments ?? [];
  const options = given === undefined ? undefined : unwrap(given);
  if (!ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name)) return "The instance has no name.";
  const declarations = declaration.parent;
  const statement = declarations.parent;
  if (
    !ts.isVariableStatement(statement) ||
    !ts.isVariableDeclarationList(declarations) ||
    declarations.declarations.length > 1
  )
    return "The instance is not declared by itself.";
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return "The options are not written in place.";
  if (options.properties.some(ts.isSpreadAssignment)) return "The options are spread from elsewhere.";
  const handlers: RegisteredHandler[] = [];
  const securityHandlers: RegisteredHandler[] = [];
  const registrations: ts.Statement[] = [];
  const initializations: ts.Statement[] = [];
  const others: ts.Identifier[] = [];
  for (const [key, list] of [
    ["handlers", handlers],
    ["securityHandlers", securityHandlers],
  ] as const) {
    const own = options.properties.find((each) => each.name?.getText() === key);
    const entries = own === undefined ? [] : entriesOf(own, { api, checker });
    if (entries === undefined) return `The option \`${key}\` is not an object that is written in place.`;
    list.push(...entries);
  }
  const symbol = checker.getSymbolAtLocation(declaration.name);
  for (const reference of files.flatMap((file) => identifiersIn(file, declaration.name.getText()))) {
    if (reference === declaration.name || resolveSymbol(reference, checker) !== symbol) continue;
    const { parent } = reference;
    if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isExportAssignment(parent)) continue;
    const call = methodCallOf(reference);
    const own = call && statementOf(call.call);
    const isBeside = own?.parent === statement.parent;
    if (call?.name === "init" && own !== undefined && isBeside) initializations.push(own);
    else if (call !== undefined && own !== undefined && isBeside && call.name.startsWith("register")) {
      const entries = registeredBy(call.call, { api, checker });
      if (entries === undefined) others.push(reference);
      else {
        (call.name === "registerSecurityHandler" ? securityHandlers : handlers).push(...entries);
        registrations.push(own);
      }
    } else others.push(reference);
  }
  return { declaration, statement, options, handlers, securityHandlers, registrations, initializations, others };
}

interface HandlerContext {
  readonly api: Api;
  readonly checker: ts.TypeChecker;
}

/** `register({…})` and `register("id", handler)` */
function registeredBy(call: ts.CallExpression, context: HandlerContext): readonly RegisteredHandler[] | undefined {
  const [first, handler] = call.arguments;
  if (first === undefined) return undefined;
  if (handler === undefined) return entriesOfObject(unwrap(first), context);
  return ts.isStringLiteralLike(first)
    ? [{ name: nameOf(first.text, context.api), node: handler, value: handler }]
    : undefined;
}

function entriesOf(
  property: ts.ObjectLiteralElementLike,
  context: HandlerContext,
): readonly RegisteredHandler[] | undefined {
  if (ts.isShorthandPropertyAssignment(property)) return entriesOfObject(property.name, context);
  return ts.isPropertyAssignment(property) ? entriesOfObject(unwrap(property.initializer), context) : undefined;
}

function entriesOfObject(object: ts.Expression, context: HandlerContext): readonly RegisteredHandler[] | undefined {
  if (ts.isIdentifier(object)) return entriesOfModule(object, context);
  if (!ts.isObjectLiteralExpression(object)) return undefined;
  const entries = object.properties.map((each): RegisteredHandler | undefined => {
    const name = each.name === undefined ? undefined : textOfName(each.name);
    if (name === undefined || ts.isAccessor(each) || ts.isSpreadAssignment(each)) return undefined;
    const value = ts.isPropertyAssignment(each)
      ? each.initializer
      : ts.isShorthandPropertyAssignment(each)
        ? each.name
        : each;
    return { name: nameOf(name, context.api), node: each, value };
  });
  return entries.includes(undefined) ? undefined : entries.filter((each) => each !== undefined);
}

/** The functions of a module that are named after operations: `import * as handlers from "./handlers.js"`. */
function entriesOfModule(
  name: ts.Identifier,
  { api, checker }: HandlerContext,
): readonly RegisteredHandler[] | undefined {
  const symbol = resolveSymbol(name, checker);
  if (symbol === undefined || !(symbol.flags & ts.SymbolFlags.ValueModule)) return undefined;
  const exported = new Map(checker.getExportsOfModule(symbol).map((each) => [nameOf(each.name, api), each] as const));
  return api.operations.flatMap(({ name: own }): readonly RegisteredHandler[] => {
    const each = exported.get(own);
    const target = each && each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each;
    const value = target?.valueDeclaration;
    const initializer = value !== undefined && ts.isVariableDeclaration(value) ? value.initializer : value;
    return initializer !== undefined ? [{ name: own, node: name, value: initializer }] : [];
  });
}

function nameOf(id: string, api: Api): string {
  const name = camelCase(id) ?? id;
  return api.operations.some((each) => each.name === name) ? name : id;
}

function textOfName(name: ts.PropertyName): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined;
}

interface MethodCall {
  readonly name: string;
  readonly call: ts.CallExpression;
}

/** A call of a method of the instance. */
export function methodCallOf(reference: ts.Identifier): MethodCall | undefined {
  const access = reference.parent;
  if (!ts.isPropertyAccessExpression(access) || access.expression !== reference) return undefined;
  const call = access.parent;
  return ts.isCallExpression(call) && call.expression === access ? { name: access.name.text, call } : undefined;
}

/** The statement that consists of a call, also with `await` or `void` in front. */
function statementOf(call: ts.CallExpression): ts.Statement | undefined {
  const { parent } = call;
  const outer = ts.isAwaitExpression(parent) || ts.isVoidExpression(parent) ? parent.parent : parent;
  return ts.isExpressionStatement(outer) ? outer : undefined;
}

function identifiersIn(file: ts.SourceFile, text: string): readonly ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === text) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Whether a file imports the class of the tool under a name. */
export function isBackendClass(callee: ts.Expression, imported: readonly ImportedName[]): boolean {
  const isClass = (name: ImportedName): boolean => name.imported === "default" || name.imported === "OpenAPIBackend";
  if (ts.isIdentifier(callee)) return imported.some((each) => each.local === callee.text && isClass(each));
  return (
    ts.isPropertyAccessExpression(callee) &&
    /^(default|OpenAPIBackend)$/.test(callee.name.text) &&
    imported.some(({ local, imported: name }) => local === callee.expression.getText() && name === "*")
  );
}
