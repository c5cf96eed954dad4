import { ts } from "ts-morph";
import type { CallUse, CodeUse } from "./code-use.js";
import { usesOfInit } from "./path-calls.js";
import { resultOf } from "./result-uses.js";
import type { UseSearch } from "./use-search.js";

/** The calls that send the request of a mutation: `create.mutate({...})`, or `mutate({...})` of a destructured one. */
export function mutationsOf({ part, node, call }: CallUse, search: UseSearch): readonly CodeUse[] {
  if (call?.isDeferred !== true) return [];
  const result = resultOf(node);
  const declaration = result?.parent;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return [];
  const names = functionsOf(declaration.name);
  let scope: ts.Node = declaration;
  while (!ts.isBlock(scope) && !ts.isSourceFile(scope)) scope = scope.parent;
  const uses: CodeUse[] = [];
  const visit = (at: ts.Node): void => {
    if (ts.isCallExpression(at) && names.has(at.expression.getText())) {
      const [request] = at.arguments;
      uses.push({
        kind: "call",
        part,
        node: at,
        call: { request, form: call.form, isDeferred: false, isArgument: true },
      });
      const operation = call.form === "paths" ? search.names.operation(part.owner) : undefined;
      if (request !== undefined && operation !== undefined) uses.push(...usesOfInit(request, operation, search));
    }
    ts.forEachChild(at, visit);
  };
  visit(scope);
  return uses;
}

/** The texts of calls that send the request, by the name or the pattern of a mutation. */
function functionsOf(name: ts.BindingName): ReadonlySet<string> {
  if (ts.isIdentifier(name)) return new Set([`${name.text}.mutate`, `${name.text}.mutateAsync`]);
  if (ts.isArrayBindingPattern(name)) return new Set();
  const senders = name.elements.filter((each) => /^mutate(Async)?$/.test((each.propertyName ?? each.name).getText()));
  return new Set(senders.map((each) => each.name.getText()));
}
