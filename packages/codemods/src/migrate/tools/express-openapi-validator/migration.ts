import { ts } from "ts-morph";
import { importedNames, type ImportedName } from "../../../handlers/syntax/imports.js";
import { findReferences } from "../../../handlers/syntax/references.js";
import type { CodeRecorder } from "../code-recorder.js";
import { callsIn, findExpressRoutes } from "../express/express-routes.js";
import { resolveFunction, type UserFunction } from "../express/resolve-symbol.js";
import { subpathModule } from "../express/subpath-module.js";
import type { ToolRequest } from "../tool-migration.js";
import { findErrorFormats } from "./error-format.js";
import { migrateRequestReads } from "./request-reads.js";
import { migrateValidatorOptions } from "./validator-options.js";

const tool = "express-openapi-validator";

/** Migrates set-ups of express-openapi-validator to a generated validator. */
export function migrateExpressOpenapiValidator({ api, target }: ToolRequest, recorder: CodeRecorder): void {
  const { files, checker } = recorder;
  const formats = findErrorFormats(files, checker);
  const [format, ...otherFormats] = formats;
  let isFound = false;
  for (const file of files) {
    const imported = importedNames(file).filter((each) => each.module === tool);
    reportOtherModules(file, recorder);
    if (imported.length === 0) continue;
    const middlewares = callsIn(file).filter((call) => isMiddleware(call.expression, imported));
    const migrated = middlewares.filter((call) => {
      const isMigrated = migrateValidatorOptions(
        call,
        {
          api,
          onError: otherFormats.length === 0 ? format?.onError : undefined,
          isMounted: isMountedAtPath(call),
          hasParser: hasParserBefore(call),
        },
        recorder,
      );
      if (!isMigrated) {
        recorder.report("notUnderstood", call, "The options of the middleware are not written in place.");
        return false;
      }
      const module = subpathModule(target, "express");
      // The tool has several functions, the validator one.
      if (ts.isSpreadElement(call.parent))
        recorder.edit(file, { start: call.parent.getStart(), end: call.getStart(), text: "" });
      recorder.replace(call.expression, recorder.importName(file, { imported: "validator", isType: false, module }));
      recorder.report("done", call, "Uses the generated validator.");
      return true;
    });
    isFound ||= migrated.length > 0;
    releaseImports(file, imported, new Set(migrated.map(({ expression }) => expression)), recorder);
  }
  if (!isFound) return;
  for (const each of formats)
    if (each.onError === undefined || otherFormats.length > 0)
      recorder.report(
        "toDecide",
        each.handler,
        "The validator responds itself, and this handler does not receive its errors. Format them in the option `onError`.",
      );
    else recorder.report("done", each.handler, "`onError` formats errors of the validator as this handler does.");
  migrateHandlers({ api, recorder });
}

/** The handlers of routes, each for the operation that it implements. */
function migrateHandlers({
  api,
  recorder,
}: {
  readonly api: ToolRequest["api"];
  readonly recorder: CodeRecorder;
}): void {
  const { files, checker } = recorder;
  const operations = new Map<UserFunction, Set<ToolRequest["api"]["operations"][number]>>();
  for (const { operation, handlers } of findExpressRoutes(files, checker, api))
    for (const each of handlers) {
      const handler = resolveFunction(each, checker);
      if (handler === undefined || !files.includes(handler.getSourceFile())) continue;
      operations.set(handler, (operations.get(handler) ?? new Set()).add(operation));
    }
  for (const [handler, own] of operations) {
    const [operation, ...others] = own;
    if (operation === undefined) continue;
    if (others.length === 0) migrateRequestReads({ handler, operation, api }, recorder);
    else
      recorder.report(
        "toDecide",
        handler,
        "This function handles several operations. What it reads of a request is not decoded: use `inputOf`.",
      );
  }
}

/** `OpenApiValidator.middleware`, and `middleware` if it is imported by name. */
function isMiddleware(callee: ts.Expression, imported: readonly ImportedName[]): boolean {
  if (ts.isIdentifier(callee))
    return imported.some(({ local, imported: name }) => local === callee.text && name === "middleware");
  return (
    ts.isPropertyAccessExpression(callee) &&
    callee.name.text === "middleware" &&
    ts.isIdentifier(callee.expression) &&
    imported.some(
      ({ local, imported: name }) => local === callee.expression.getText() && (name === "*" || name === "default"),
    )
  );
}

/** `app.use("/v1", middleware(…))` */
function isMountedAtPath({ parent }: ts.CallExpression): boolean {
  const [first] = ts.isCallExpression(parent) ? parent.arguments : [];
  return first !== undefined && ts.isStringLiteralLike(first) && first.text !== "/";
}

/** Whether the file has a parser of bodies in front of a call. */
function hasParserBefore(call: ts.CallExpression): boolean {
  return callsIn(call.getSourceFile()).some(
    (each) =>
      each.getStart() < call.getStart() &&
      ts.isPropertyAccessExpression(each.expression) &&
      /^(express|body[Pp]arser)$/.test(each.expression.expression.getText()) &&
      each.expression.name.text === "json",
  );
}

/** Removes the imports of the tool that nothing needs any longer. Other uses of them are reported. */
function releaseImports(
  file: ts.SourceFile,
  imported: readonly ImportedName[],
  replaced: ReadonlySet<ts.Node>,
  recorder: CodeRecorder,
): void {
  const references = findReferences(file);
  for (const name of imported) {
    const remaining = (references.get(name.local) ?? []).filter(
      (each) =>
        !ts.isImportSpecifier(each.parent) &&
        !ts.isImportClause(each.parent) &&
        !ts.isNamespaceImport(each.parent) &&
        !replaced.has(each) &&
        !replaced.has(each.parent),
    );
    if (remaining.length === 0) recorder.removeImport(name);
    for (const each of remaining)
      recorder.report("notUnderstood", each, `\`${each.parent.getText().slice(0, 60)}\` has no counterpart.`);
  }
}

/** Modules within the package, and `require`, which generated packages do not support. */
function reportOtherModules(file: ts.SourceFile, recorder: CodeRecorder): void {
  for (const { module, declaration } of importedNames(file))
    if (module.startsWith(`${tool}/`))
      recorder.report("notUnderstood", declaration, "Types within the package have no counterpart.");
  for (const call of callsIn(file)) {
    const [module] = call.arguments;
    if (
      call.expression.getText() === "require" &&
      module !== undefined &&
      ts.isStringLiteralLike(module) &&
      module.text === tool
    )
      recorder.report("notUnderstood", call, "Generated packages are ES modules: turn the file into one first.");
  }
}
