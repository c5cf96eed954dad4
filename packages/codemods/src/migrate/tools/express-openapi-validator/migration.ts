import type { Api } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { importedNames } from "../../../handlers/syntax/imports.js";
import type { CodeRecorder } from "../code-recorder.js";
import { callsIn, findExpressRoutes } from "../express/express-routes.js";
import { resolveFunction, type UserFunction } from "../express/resolve-symbol.js";
import { subpathModule } from "../express/subpath-module.js";
import type { ToolRequest } from "../tool-migration.js";
import { referencesOf } from "../variable-references.js";
import { migrateErrorClasses } from "./error-classes.js";
import { formatsIn, migrateFormats } from "./format-list.js";
import { createHandlerModule } from "./handler-module.js";
import { openProgram, type MigratedProgram } from "./migrated-program.js";
import { migrateRequestReads, readsRequest, type OperationHandler } from "./request-reads.js";
import { readOptions, type GivenOption, type ReadOptions, type ValidatorSetUp } from "./set-up.js";
import { addBridge, migrateValidatorOptions } from "./validator-options.js";

const tool = "express-openapi-validator";

/** Migrates set-ups of express-openapi-validator to a generated validator. */
export function migrateExpressOpenapiValidator({ api, code, target }: ToolRequest, given: CodeRecorder): void {
  const program = openProgram(code, given);
  const { recorder, isSelected } = program;
  const module = subpathModule(target, "express");
  const calls = recorder.files.flatMap((file) => findMiddlewares(file));
  const handlers = findHandlers(api, recorder);
  const importsValidator = recorder.files.some((file) =>
    importedNames(file).some((each) => each.module === recorder.moduleFor(file.fileName, module)),
  );
  const set = {
    api,
    module,
    program,
    waiting: handlers.find((each) => !isSelected(each.handler) && readsRequest(each, recorder)),
  };
  const outcomes = new Map(calls.map((call) => [call, migrateSetUp(call, set)] as const));
  const understood = calls.filter((call) => outcomes.get(call) !== "unchanged");
  for (const file of recorder.files.filter(isSelected)) {
    reportOtherModules(file, recorder);
    const importHandler = createHandlerModule(calls[0]?.getSourceFile() ?? file, recorder);
    const replaced = migrateErrorClasses(file, tool, { recorder, importHandler });
    releaseImports(file, new Set([...understood, ...replaced]), recorder);
  }
  const isSetUp = importsValidator || [...outcomes.values()].some((each) => each === "migrated" || each === "bridged");
  const selected = handlers.filter(({ handler }) => isSelected(handler));
  if (isSetUp) for (const each of selected) migrateRequestReads(each, recorder);
  else if (calls.length > 0 && !calls.some(isSelected))
    for (const { handler } of selected.filter((each) => readsRequest(each, recorder)))
      recorder.report(
        "toDecide",
        handler,
        `${fileOf(calls[0])} sets the tool up. Migrate it first, and then this file.`,
      );
}

interface SetUpContext {
  readonly api: Api;
  /** What exports the generated function. */
  readonly module: string;
  readonly program: MigratedProgram;
  /** A handler in a file that is not to be migrated, which reads what the tool has decoded. */
  readonly waiting: OperationHandler | undefined;
}

/** Replaces a set-up; or adds the validator behind it, where other files still need the tool. */
function migrateSetUp(
  call: ts.CallExpression,
  { api, module, program: { recorder, isSelected }, waiting }: SetUpContext,
): "migrated" | "bridged" | "waiting" | "unchanged" {
  const file = call.getSourceFile();
  const given = readOptions(call, recorder.checker);
  if (given === undefined) {
    if (isSelected(call))
      recorder.report("notUnderstood", call, "The options of the middleware are not written in place.");
    return "unchanged";
  }
  const formats = formatsOf(given, recorder);
  if (!isSelected(call)) {
    if (formats !== undefined && isSelected(formats.list)) migrateFormats(formats.option, { recorder });
    return "waiting";
  }
  const decide = (message: string): void => recorder.report("toDecide", call, message);
  if (formats !== undefined && !isSelected(formats.list)) {
    decide(`${fileOf(formats.list)} has a list of formats. Migrate it first, and then this file.`);
    return "waiting";
  }
  const bridge = findBridge(call, recorder.moduleFor(file.fileName, module));
  if (waiting !== undefined)
    decide(
      `The tool stays, in front of the validator: ${fileOf(waiting.handler)} reads what it has decoded. Migrate the other files, and then this one again.`,
    );
  if (waiting !== undefined && bridge !== undefined) return "bridged";
  const setUp: ValidatorSetUp = {
    ...given,
    api,
    call,
    recorder,
    validator: recorder.importName(file, { imported: "validator", isType: false, module }),
    isMounted: isMountedAtPath(call),
    hasParser: recorder.files.some((each) => hasParser(each, call)),
    hasErrorHandler: recorder.files.some((each) => hasErrorHandler(each, recorder.checker)),
    importHandler: (name) => createHandlerModule(file, recorder)(file, name),
  };
  if (waiting !== undefined) {
    addBridge(setUp);
    return "bridged";
  }
  if (bridge !== undefined) recorder.edit(file, { start: call.getEnd(), end: bridge.getEnd(), text: "" });
  migrateValidatorOptions(setUp);
  // The tool has several functions, the validator one.
  if (ts.isSpreadElement(call.parent))
    recorder.edit(file, { start: call.parent.getStart(), end: call.getStart(), text: "" });
  recorder.replace(call.expression, setUp.validator);
  recorder.report("done", call, "Uses the generated validator.");
  return "migrated";
}

/** The list of formats, where the option has one: the tool takes an object, too. */
function formatsOf({ options }: ReadOptions, recorder: CodeRecorder): FormatList | undefined {
  const option = options.find(({ name }) => name === "formats");
  const list = option && formatsIn(option, recorder);
  return option !== undefined && list !== undefined && ts.isArrayLiteralExpression(list) ? { option, list } : undefined;
}

interface FormatList {
  readonly option: GivenOption;
  readonly list: ts.ArrayLiteralExpression;
}

function fileOf(node: ts.Node | undefined): string {
  return node?.getSourceFile().fileName.split("/").at(-1) ?? "";
}

/** The handlers of routes, each with the operation that it implements. */
function findHandlers(api: Api, recorder: CodeRecorder): readonly OperationHandler[] {
  const { files, checker } = recorder;
  const operations = new Map<UserFunction, Set<Api["operations"][number]>>();
  for (const { operation, handlers } of findExpressRoutes(files, checker, api))
    for (const each of handlers) {
      const handler = resolveFunction(each, checker);
      if (handler === undefined || !files.includes(handler.getSourceFile())) continue;
      operations.set(handler, (operations.get(handler) ?? new Set()).add(operation));
    }
  return [...operations].map(([handler, all]) => ({ handler, operations: [...all], api }));
}

/** The calls of `OpenApiValidator.middleware`, and of `middleware` if it is imported by name. */
function findMiddlewares(file: ts.SourceFile): readonly ts.CallExpression[] {
  const imported = importedNames(file).filter((each) => each.module === tool);
  if (imported.length === 0) return [];
  return callsIn(file).filter(({ expression: callee }) => {
    if (ts.isIdentifier(callee))
      return imported.some(({ local, imported: name }) => local === callee.text && name === "middleware");
    if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== "middleware") return false;
    const module = callee.expression.getText();
    return imported.some(({ local, imported: name }) => local === module && (name === "*" || name === "default"));
  });
}

/** The validator that an earlier run has added behind a call of the middleware. */
function findBridge(call: ts.CallExpression, module: string): ts.Expression | undefined {
  const names = importedNames(call.getSourceFile()).filter((each) => each.module === module);
  const siblings: readonly ts.Expression[] = ts.isCallExpression(call.parent) ? call.parent.arguments : [];
  return siblings
    .slice(siblings.indexOf(call) + 1)
    .find((each) => ts.isCallExpression(each) && names.some(({ local }) => local === each.expression.getText()));
}

/** `app.use("/v1", middleware(…))` */
function isMountedAtPath({ parent }: ts.CallExpression): boolean {
  const [first] = ts.isCallExpression(parent) ? parent.arguments : [];
  return first !== undefined && ts.isStringLiteralLike(first) && first.text !== "/";
}

/** Whether a file has a parser of bodies, in front of a call if it is the same file. */
function hasParser(file: ts.SourceFile, call: ts.CallExpression): boolean {
  const isImported = (name: string): boolean =>
    importedNames(file).some(({ local, module }) => local === name && /^(express|body-parser)$/.test(module));
  return callsIn(file).some((each) => {
    const isBefore = file !== call.getSourceFile() || each.getStart() < call.getStart();
    const [, module, parser = module] = /^(\w+)(?:\.(\w+))?$/.exec(each.expression.getText()) ?? [];
    return isBefore && module !== undefined && /^(json|urlencoded)$/.test(parser ?? "") && isImported(module);
  });
}

/** Whether a file has a function of four parameters in `use`. */
function hasErrorHandler(file: ts.SourceFile, checker: ts.TypeChecker): boolean {
  return callsIn(file).some(
    ({ expression, arguments: handlers }) =>
      ts.isPropertyAccessExpression(expression) &&
      expression.name.text === "use" &&
      handlers.some((each) => resolveFunction(each, checker)?.parameters.length === 4),
  );
}

/** Removes the imports of the tool that nothing needs any longer. Uses of them outside of what is understood are reported. */
function releaseImports(file: ts.SourceFile, understood: ReadonlySet<ts.Node>, recorder: CodeRecorder): void {
  const isUnderstood = (node: ts.Node): boolean =>
    understood.has(node) || (!ts.isSourceFile(node) && isUnderstood(node.parent));
  for (const name of importedNames(file).filter((each) => each.module === tool)) {
    const local = ts.isImportSpecifier(name.node) || ts.isNamespaceImport(name.node) ? name.node.name : name.node;
    for (const each of referencesOf(local, recorder.checker).filter((use) => !isUnderstood(use)))
      recorder.report("notUnderstood", each, `\`${each.parent.getText().slice(0, 60)}\` has no counterpart.`);
    recorder.releaseImport(name);
  }
}

/** Modules within the package, and `require`, which generated packages do not support. */
function reportOtherModules(file: ts.SourceFile, recorder: CodeRecorder): void {
  for (const { module, declaration } of importedNames(file))
    if (module.startsWith(`${tool}/`))
      recorder.report("notUnderstood", declaration, "Types within the package have no counterpart.");
  for (const call of callsIn(file)) {
    const [module] = call.expression.getText() === "require" ? call.arguments : [];
    if (module !== undefined && ts.isStringLiteralLike(module) && module.text === tool)
      recorder.report("notUnderstood", call, "Generated packages are ES modules: turn the file into one first.");
  }
}
