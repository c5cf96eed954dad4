import type { Operation } from "@plumbline/model";
import { ts } from "ts-morph";
import { calleeName, findWithin, resolveDeclaration } from "../client/generated-imports.js";
import type { GeneratedClient } from "../client/generated-client.js";
import type { ParameterRole } from "../client/positional-arguments.js";

/** A function that orval has generated for an operation. */
export interface OrvalFunction {
  readonly operation: Operation;
  /** What its parameters are, in their order. */
  readonly roles: readonly ParameterRole[];
  /** The URL before the path, as text. */
  readonly prefix: string;
  /** The function of the user that sends its requests. */
  readonly mutator: ts.Declaration | undefined;
}

/** Reads a generated function: its method, its path, and what its parameters are. Undefined for any other declaration. */
export function readOrvalFunction(
  declaration: ts.Declaration,
  {
    client,
    checker,
    isGenerated,
  }: {
    readonly client: GeneratedClient;
    readonly checker: ts.TypeChecker;
    readonly isGenerated: (file: ts.SourceFile) => boolean;
  },
): OrvalFunction | undefined {
  const body = functionOf(declaration);
  if (body === undefined) return undefined;
  const method = findWithin(body, (node) =>
    ts.isPropertyAssignment(node) && node.name.getText() === "method" && ts.isStringLiteralLike(node.initializer)
      ? node.initializer.text
      : undefined,
  );
  const url = findWithin(body, (node) => (ts.isCallExpression(node) ? readUrl(node, checker) : undefined));
  const operation = method === undefined || url === undefined ? undefined : client.operationAt(method, url.template);
  if (operation === undefined || url === undefined) return undefined;
  const shape = operation.path.replaceAll(/\{[^}]*\}/g, "{}");
  const template = url.template.replaceAll(/\{[^}]*\}/g, "{}");
  const names = [...operation.path.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name);
  const paths = new Map(
    url.parameters.slice(-names.length).map((each, index) => [each, names[index] ?? each] as const),
  );
  const mutator = findWithin(body, (node) => {
    const called = ts.isCallExpression(node) ? calleeName(node) : undefined;
    const found = called && resolveDeclaration(called, checker);
    const file = found?.getSourceFile();
    return file !== undefined && !file.isDeclarationFile && !isGenerated(file) ? found : undefined;
  });
  return {
    operation,
    roles: body.parameters.map(({ name }) => roleOf(name.getText(), names.length === 0 ? new Map() : paths)),
    prefix: template.slice(0, Math.max(template.length - shape.length, 0)),
    mutator,
  };
}

function functionOf(declaration: ts.Declaration): ts.ArrowFunction | ts.FunctionDeclaration | undefined {
  if (ts.isFunctionDeclaration(declaration)) return declaration;
  const initializer = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  return initializer !== undefined && ts.isArrowFunction(initializer) ? initializer : undefined;
}

function roleOf(name: string, paths: ReadonlyMap<string, string>): ParameterRole {
  const path = paths.get(name);
  if (path !== undefined) return { kind: "parameter", group: "path", name: path };
  if (name === "params") return { kind: "group", group: "query" };
  if (name === "headers") return { kind: "group", group: "headers" };
  return name === "options" ? { kind: "options" } : { kind: "body" };
}

interface ReadUrl {
  /** The URL, with names in braces. */
  readonly template: string;
  readonly parameters: readonly string[];
}

/** The URL that a function such as `getListPetsUrl` returns. */
function readUrl(call: ts.CallExpression, checker: ts.TypeChecker): ReadUrl | undefined {
  const name = calleeName(call);
  if (name === undefined || !/^get.*Url$/.test(name.text)) return undefined;
  const declaration = resolveDeclaration(name, checker);
  const body = declaration && functionOf(declaration);
  if (body === undefined) return undefined;
  const templates: ReadUrl[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNoSubstitutionTemplateLiteral(node)) templates.push({ template: node.text, parameters: [] });
    else if (ts.isTemplateExpression(node)) templates.push(readTemplate(node));
    else ts.forEachChild(node, visit);
  };
  visit(body);
  return templates.find(({ template }) => template.includes("/") && !template.includes("?"));
}

function readTemplate({ head, templateSpans }: ts.TemplateExpression): ReadUrl {
  const parameters = templateSpans.map(({ expression }) => findWithin(expression, lastIdentifier)?.text ?? "");
  const parts = templateSpans.map(({ literal }, index) => `{${parameters[index] ?? ""}}${literal.text}`);
  return { template: `${head.text}${parts.join("")}`, parameters };
}

/** The variable in `plotId`, and in `encodeURIComponent(String(plotId))`. */
function lastIdentifier(node: ts.Node): ts.Identifier | undefined {
  const isFunction = ts.isCallExpression(node.parent) && node.parent.expression === node;
  return ts.isIdentifier(node) && !isFunction ? node : undefined;
}
