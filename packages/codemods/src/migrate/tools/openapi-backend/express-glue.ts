import { ts } from "ts-morph";
import type { CodeRecorder } from "../code-recorder.js";
import { callsIn } from "../express/express-routes.js";
import { findEnclosingFunction } from "./handler-responses.js";
import { methodCallOf } from "./backend-set-up.js";
import { removeStatement } from "./server-creation.js";

/**
 * Replaces `app.use((req, res) => api.handleRequest(req, req, res))` by the middleware of the server, and moves parsers of bodies behind it: the
 * server reads bodies itself.
 *
 * @returns false for another reference to the instance
 */
export function migrateExpressGlue(reference: ts.Identifier, module: string, recorder: CodeRecorder): boolean {
  const call = methodCallOf(reference);
  if (call?.name !== "handleRequest") return false;
  const wrapper = findEnclosingFunction(call.call);
  if (wrapper === undefined || !ts.isArrowFunction(wrapper) || !isOnly(call.call, wrapper)) return false;
  const use = wrapper.parent;
  if (!ts.isCallExpression(use) || !ts.isPropertyAccessExpression(use.expression)) return false;
  if (use.expression.name.text !== "use" || use.arguments.length !== 1) return false;
  const statement = use.parent;
  if (!ts.isExpressionStatement(statement)) return false;
  const file = reference.getSourceFile();
  const middleware = recorder.importName(file, { imported: "expressMiddleware", isType: false, module });
  recorder.replace(wrapper, `${middleware}(${reference.text})`);
  recorder.report("done", wrapper, "Uses the middleware of the generated server.");
  for (const parser of parsersBefore(statement, use.expression.expression.getText())) {
    const text = parser.getText();
    removeStatement(parser, recorder);
    recorder.edit(file, { start: statement.getEnd(), end: statement.getEnd(), text: `\n${text}` });
    recorder.report("done", parser, "The parser of bodies is behind the server, which reads bodies itself.");
  }
  return true;
}

/** Whether a function does nothing but this call. */
function isOnly(call: ts.CallExpression, { body }: ts.ArrowFunction): boolean {
  if (!ts.isBlock(body)) return body === call || (ts.isAwaitExpression(body) && body.expression === call);
  const [statement, ...others] = body.statements;
  return others.length === 0 && statement !== undefined && callsIn(statement)[0] === call;
}

/** The statements in front of another one that make an app parse bodies. */
function parsersBefore(statement: ts.Statement, app: string): readonly ts.Statement[] {
  const { parent } = statement;
  if (!ts.isBlock(parent) && !ts.isSourceFile(parent)) return [];
  return parent.statements.filter(
    (each) =>
      each.getStart() < statement.getStart() &&
      ts.isExpressionStatement(each) &&
      each.getText().startsWith(`${app}.use(`) &&
      /^[\w.]+\.use\(\s*(express|body[Pp]arser)\.(json|text|raw|urlencoded)\([^]*\)\s*\);?$/.test(each.getText()),
  );
}
