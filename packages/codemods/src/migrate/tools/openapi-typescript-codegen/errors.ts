import { ts } from "ts-morph";
import type { GeneratedClient } from "../client/generated-client.js";
import { isJavaScript } from "../client/type-uses.js";
import { resolveDeclaration } from "../client/generated-imports.js";
import type { CodeRecorder } from "../code-recorder.js";

/** Properties of errors that those of generated clients have, too. */
const common: ReadonlySet<string> = new Set(["status", "url", "message", "name", "stack", "cause"]);

/** What the migration of errors needs. */
export interface ErrorMigration {
  readonly recorder: CodeRecorder;
  readonly client: GeneratedClient;
  readonly isGenerated: (file: ts.SourceFile) => boolean;
}

/**
 * Records the edits of `error instanceof ApiError`, and of what code reads of such an error.
 *
 * @returns the nodes that are replaced
 */
export function migrateErrorUse(node: ts.Node, migration: ErrorMigration): readonly ts.Node[] {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword)
    return migrateInstanceOf(node, migration);
  if (ts.isPropertyAccessExpression(node)) migrateErrorRead(node, migration);
  return [];
}

function migrateInstanceOf(node: ts.BinaryExpression, { recorder, isGenerated }: ErrorMigration): readonly ts.Node[] {
  const { left, right } = node;
  const declaration = ts.isIdentifier(right) ? resolveDeclaration(right, recorder.checker) : undefined;
  const isError =
    declaration !== undefined && ts.isClassDeclaration(declaration) && declaration.name?.text === "ApiError";
  if (!isError || !isGenerated(declaration.getSourceFile())) return [];
  const file = node.getSourceFile();
  recorder.replace(
    ts.isParenthesizedExpression(node.parent) ? node.parent : node,
    (textOf) => `${recorder.importName(file, { imported: "isApiError", isType: false })}(${textOf(left)})`,
  );
  recorder.report("done", node, "`instanceof ApiError` is `isApiError`.");
  return [right];
}

function migrateErrorRead(node: ts.PropertyAccessExpression, { recorder, client, isGenerated }: ErrorMigration): void {
  const { name, expression } = node;
  // JavaScript has no types to write.
  if (common.has(name.text) || (name.text === "body" && isJavaScript(node.getSourceFile()))) return;
  const declaration = recorder.checker.getSymbolAtLocation(name)?.valueDeclaration;
  const owner = declaration?.parent;
  if (owner === undefined || !ts.isClassDeclaration(owner) || owner.name?.text !== "ApiError") return;
  if (!isGenerated(owner.getSourceFile())) return;
  const type = client.commonErrorType;
  if (name.text !== "body") recorder.mark(node, `Errors have no \`${name.text}\`. Decide how to do without it.`);
  else if (type === undefined)
    recorder.mark(node, "The type of `body` is unknown: select by `status`, or decide on a type.");
  else {
    const file = node.getSourceFile();
    recorder.replace(
      node,
      (textOf) => `(${textOf(expression)}.body as ${recorder.importName(file, { imported: type, isType: true })})`,
    );
  }
}
