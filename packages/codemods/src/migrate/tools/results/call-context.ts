import { ts } from "ts-morph";

/** What code does with the promise of a call. */
export type CallContext =
  /** Its result is not read. */
  | { readonly kind: "ignored" }
  /** Its result has a name, or is destructured. */
  | { readonly kind: "bound"; readonly name: ts.BindingName; readonly declaration: ts.Node }
  /** One property of its result is read: `(await call).data`. */
  | { readonly kind: "property"; readonly access: ts.PropertyAccessExpression };

/** Finds what code does with the promise of a call. Undefined for anything else, such as returning it. */
export function findCallContext(call: ts.CallExpression): CallContext | undefined {
  const { parent } = call;
  if (ts.isExpressionStatement(parent) || ts.isVoidExpression(parent)) return { kind: "ignored" };
  if (ts.isAwaitExpression(parent)) return contextOfValue(parent);
  if (ts.isPropertyAccessExpression(parent) && parent.name.text === "then") return contextOfCallback(parent);
  if (ts.isArrayLiteralExpression(parent)) return contextOfItem(call, parent);
  return undefined;
}

function contextOfValue(value: ts.AwaitExpression): CallContext | undefined {
  let node: ts.Expression = value;
  while (ts.isParenthesizedExpression(node.parent)) node = node.parent;
  const { parent } = node;
  if (ts.isExpressionStatement(parent)) return { kind: "ignored" };
  if (ts.isVariableDeclaration(parent) && isConstant(parent))
    return { kind: "bound", name: parent.name, declaration: parent };
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return { kind: "property", access: parent };
  return undefined;
}

/** A constant without a written type, which would be that of the old result. */
function isConstant(declaration: ts.VariableDeclaration): boolean {
  const list = declaration.parent;
  return (
    declaration.type === undefined && ts.isVariableDeclarationList(list) && (list.flags & ts.NodeFlags.Const) !== 0
  );
}

/** `call.then(({ data }) => …)` */
function contextOfCallback(access: ts.PropertyAccessExpression): CallContext | undefined {
  const { parent } = access;
  if (!ts.isCallExpression(parent) || parent.expression !== access || parent.arguments.length !== 1) return undefined;
  const [callback] = parent.arguments;
  const isFunction = callback !== undefined && (ts.isArrowFunction(callback) || ts.isFunctionExpression(callback));
  const [parameter, ...others] = isFunction ? callback.parameters : [];
  if (parameter === undefined || others.length > 0 || parameter.type !== undefined) return undefined;
  return { kind: "bound", name: parameter.name, declaration: parameter };
}

/** `const [{ data }, other] = await Promise.all([call, …])` */
function contextOfItem(call: ts.CallExpression, list: ts.ArrayLiteralExpression): CallContext | undefined {
  const all = list.parent;
  const isAll = ts.isCallExpression(all) && all.expression.getText() === "Promise.all";
  const declaration = isAll && ts.isAwaitExpression(all.parent) ? all.parent.parent : undefined;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration) || !isConstant(declaration)) return undefined;
  if (!ts.isArrayBindingPattern(declaration.name)) return undefined;
  const element = declaration.name.elements[list.elements.indexOf(call)];
  if (element === undefined || ts.isOmittedExpression(element)) return { kind: "ignored" };
  const isPlain = element.initializer === undefined && element.dotDotDotToken === undefined;
  return isPlain ? { kind: "bound", name: element.name, declaration: element } : undefined;
}
