import { ts } from "ts-morph";
import { importedNames } from "../../../handlers/syntax/imports.js";
import type { CodeRecorder } from "../code-recorder.js";
import { callsIn } from "../express/express-routes.js";
import { resolveFunction, type UserFunction } from "../express/resolve-symbol.js";
import { subpathModule } from "../express/subpath-module.js";
import type { ToolRequest } from "../tool-migration.js";
import { isBackendClass, readSetUp, type BackendSetUp, type RegisteredHandler } from "./backend-set-up.js";
import { errorBodyOf, readRejectionBody, rejectionHandlers, type RejectionBody } from "./error-body.js";
import { migrateExpressGlue } from "./express-glue.js";
import { createServerCode, needsCredentials, type MigratedEntry } from "./server-creation.js";
import { migrateHandler } from "./typed-handlers.js";

const tool = "openapi-backend";

/** Migrates set-ups of openapi-backend to a generated server. */
export function migrateOpenapiBackend(request: ToolRequest, recorder: CodeRecorder): void {
  const { files, checker } = recorder;
  for (const file of files) {
    const imported = importedNames(file).filter((each) => each.module === tool);
    for (const creation of creationsIn(file).filter(({ expression }) => isBackendClass(expression, imported))) {
      const setUp = readSetUp(creation, { api: request.api, checker, files });
      if (typeof setUp === "string") recorder.report("notUnderstood", creation, setUp);
      else migrateSetUp(setUp, request, recorder);
    }
    for (const call of callsIn(file)) {
      const [module] = call.arguments;
      const isRequire = call.expression.getText() === "require";
      if (isRequire && module !== undefined && ts.isStringLiteralLike(module) && module.text === tool)
        recorder.report("notUnderstood", call, "Generated packages are ES modules: turn the file into one first.");
    }
    for (const name of imported) recorder.releaseImport(name);
  }
}

function creationsIn(file: ts.SourceFile): readonly ts.NewExpression[] {
  const found: ts.NewExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function migrateSetUp(setUp: BackendSetUp, { api, target }: ToolRequest, recorder: CodeRecorder): void {
  const bodies: RejectionBody[] = [];
  const entries: MigratedEntry[] = [];
  const shared = sharedFunctions(setUp.handlers, recorder);
  for (const registered of setUp.handlers) {
    const handler = resolveFunction(registered.value, recorder.checker);
    const operation = api.operations.find(({ name }) => name === registered.name);
    if (operation === undefined) {
      const body = rejectionBodyOf(registered, handler, recorder);
      if (body === undefined) entries.push({ registered, message: specialMessage(registered.name) });
      else bodies.push(body);
      continue;
    }
    const reason =
      handler === undefined
        ? "its function is not in this code"
        : shared.has(handler)
          ? "it handles several operations"
          : migrateHandler({ handler, operation, api }, recorder);
    if (reason === undefined) {
      entries.push({ registered });
      if (handler !== undefined) releaseExpressTypes(handler, recorder);
      recorder.report("done", registered.node, `\`${operation.name}\` returns its response, with types.`);
    } else {
      const message = `\`${operation.name}\` has to return { status, body } from ({ path, query, body }): ${reason}.`;
      entries.push({ registered, message });
    }
  }
  for (const { registered, message } of entries)
    if (message !== undefined) recorder.report("toDecide", registered.node, message);
  if (needsCredentials(api) || setUp.securityHandlers.length > 0)
    recorder.report(
      "toDecide",
      setUp.statement,
      "The server calls `authenticate` with the credentials of each request.",
    );
  if (api.resources.length > 0)
    recorder.report("toDecide", setUp.statement, "The server needs `resources`, which load what requests refer to.");
  createServerCode(setUp, { entries, errorBody: errorBodyOf(bodies) }, { api, recorder });
  const module = subpathModule(target, "express");
  for (const reference of setUp.others)
    if (!migrateExpressGlue(reference, module, recorder))
      recorder.mark(
        reference,
        `\`${reference.text}\` is a generated server here, with other methods. It handles requests with an adapter: \`/express\`, \`/fastify\`, \`/hono\`, \`/node\` or \`/fetch\`.`,
      );
}

/** The types of the parameters that a handler has no longer. */
function releaseExpressTypes(handler: UserFunction, recorder: CodeRecorder): void {
  for (const name of importedNames(handler.getSourceFile()))
    if (name.module === "express" && /^(Request|Response|NextFunction)$/.test(name.imported))
      recorder.releaseImport(name);
}

/** The functions that are registered for several operations. */
function sharedFunctions(handlers: readonly RegisteredHandler[], { checker }: CodeRecorder): ReadonlySet<UserFunction> {
  const functions = handlers.map(({ value }) => resolveFunction(value, checker));
  return new Set(
    functions.filter((each, index): each is UserFunction => each !== undefined && functions.indexOf(each) < index),
  );
}

function rejectionBodyOf(
  { name, node }: RegisteredHandler,
  handler: UserFunction | undefined,
  recorder: CodeRecorder,
): RejectionBody | undefined {
  if (handler === undefined || !rejectionHandlers.has(name)) return undefined;
  const body = readRejectionBody(name, handler, recorder.checker);
  if (body === undefined) return undefined;
  recorder.report("done", node, `\`errorBody\` formats the response of \`${name}\`.`);
  if (!node.getText().includes(handler.getText()))
    recorder.report("toDecide", handler, `Nothing calls this function any longer: remove it.`);
  return body;
}

function specialMessage(name: string): string {
  if (rejectionHandlers.has(name))
    return `The server rejects requests itself, with the status of the description: format its responses in \`errorBody\`.`;
  if (name === "notImplemented") return "Without a handler, the server responds with 501: see `missingHandlers`.";
  return `The server has no handler \`${name}\`.`;
}
