import type { Operation } from "@plumbline/model";
import { ts } from "ts-morph";
import { findWithin } from "../client/generated-imports.js";
import type { GeneratedClient } from "../client/generated-client.js";
import type { ParameterRole } from "../client/positional-arguments.js";

/** A method of a service class that openapi-typescript-codegen has generated. */
export interface ServiceMethod {
  readonly operation: Operation;
  /** The names of its parameters, in their order. */
  readonly names: readonly string[];
  readonly roles: readonly ParameterRole[];
  /** Whether it takes one object with all parameters: `--useOptions`. */
  readonly takesObject: boolean;
  /** Whether it is a method of a client with a name: `--name`. */
  readonly isOfInstance: boolean;
}

/** Reads a generated method: the operation that it sends, and what its parameters are. */
export function readServiceMethod(declaration: ts.Declaration, client: GeneratedClient): ServiceMethod | undefined {
  if (!ts.isMethodDeclaration(declaration)) return undefined;
  const request = findWithin(declaration, (node) =>
    ts.isObjectLiteralExpression(node) && textOf(node, "method") !== undefined && textOf(node, "url") !== undefined
      ? node
      : undefined,
  );
  if (request === undefined) return undefined;
  const operation = client.operationAt(textOf(request, "method") ?? "", textOf(request, "url") ?? "");
  if (operation === undefined) return undefined;
  const [first] = declaration.parameters;
  const pattern = first !== undefined && ts.isObjectBindingPattern(first.name) ? first.name : undefined;
  const names = (pattern?.elements ?? declaration.parameters).map(({ name }) => name.getText());
  const roles = new Map(request.properties.flatMap((each) => rolesIn(each)));
  return {
    operation,
    names,
    roles: names.map((name) => roles.get(name) ?? { kind: "body" }),
    takesObject: pattern !== undefined,
    isOfInstance: !(declaration.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword),
  };
}

const groups: Readonly<Record<string, "path" | "query" | "headers" | "cookies">> = {
  path: "path",
  query: "query",
  headers: "headers",
  cookies: "cookies",
};

/** The roles of the variables in a property of the request: `path: { "pet-id": petId }`. */
function rolesIn(property: ts.ObjectLiteralElementLike): readonly (readonly [string, ParameterRole])[] {
  if (!ts.isPropertyAssignment(property)) return [];
  const key = property.name.getText();
  const group = Object.hasOwn(groups, key) ? groups[key] : undefined;
  const value = property.initializer;
  if (group === undefined || !ts.isObjectLiteralExpression(value)) return [];
  return value.properties.filter(ts.isPropertyAssignment).map(({ name, initializer }) => {
    const wire = ts.isStringLiteralLike(name) ? name.text : name.getText();
    return [initializer.getText(), { kind: "parameter", group, name: wire }] as const;
  });
}

function textOf(node: ts.ObjectLiteralExpression, key: string): string | undefined {
  const found = node.properties.find((each) => each.name?.getText() === key);
  const value = found && ts.isPropertyAssignment(found) ? found.initializer : undefined;
  return value !== undefined && ts.isStringLiteralLike(value) ? value.text : undefined;
}
