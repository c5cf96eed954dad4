import { ts } from "ts-morph";
import { importedNames } from "../../../handlers/syntax/imports.js";
import type { CodeRecorder } from "../code-recorder.js";
import type { ImportFromHandlers } from "./handler-module.js";

/** The statuses of the tool's error classes. */
const statuses: ReadonlyMap<string, number> = new Map([
  ["BadRequest", 400],
  ["Unauthorized", 401],
  ["Forbidden", 403],
  ["NotFound", 404],
  ["MethodNotAllowed", 405],
  ["NotAcceptable", 406],
  ["RequestEntityTooLarge", 413],
  ["UnsupportedMediaType", 415],
  ["InternalServerError", 500],
]);

/**
 * Tests such as `error instanceof OpenApiValidator.error.NotFound` become tests of the status, which hold for errors of both.
 *
 * @returns what refers to the tool no longer
 */
export function migrateErrorClasses(
  file: ts.SourceFile,
  tool: string,
  { recorder, importHandler }: { readonly recorder: CodeRecorder; readonly importHandler: ImportFromHandlers },
): readonly ts.Node[] {
  const names = new Map(importedNames(file).flatMap((each) => (each.module === tool ? [[each.local, each]] : [])));
  const replaced: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.InstanceOfKeyword) return;
    const [, root = "", name = ""] = /^(\w+)(?:\.error)?\.(\w+)$/.exec(node.right.getText()) ?? [];
    const status = statuses.get(name);
    if (status === undefined || !names.has(root)) return;
    recorder.replace(node, (textOf) => `${importHandler(file, "isHttpError")}(${textOf(node.left)}, ${status})`);
    recorder.report("done", node, "Tests the status of an error.");
    replaced.push(node.right);
  };
  if (names.size > 0) visit(file);
  return replaced;
}
