import { ts } from "ts-morph";
import { referencesTo, type UserFunction } from "../express/resolve-symbol.js";
import { applyEdits, type TextEdit } from "../../../handlers/syntax/text-edits.js";
import { readResponse } from "./handler-responses.js";

/** The handlers of the tool that respond to rejected requests, with the status of the generated server. */
export const rejectionHandlers: ReadonlyMap<string, number> = new Map([
  ["notFound", 404],
  ["methodNotAllowed", 405],
  ["unauthorizedHandler", 401],
  ["validationFail", 400],
]);

const errorsText =
  'errors.map(({ field, reason }) => ({\n  instancePath: field === undefined ? "" : `/${field.replaceAll(".", "/")}`,\n  message: reason,\n}))';

/** The body of the response of such a handler, as code that depends on `status` and `errors`. */
export interface RejectionBody {
  readonly name: string;
  readonly text: string;
}

/** Reads the body that a handler responds with. Undefined where it depends on anything but the issues. */
export function readRejectionBody(
  name: string,
  handler: UserFunction,
  checker: ts.TypeChecker,
): RejectionBody | undefined {
  const [context, , response] = handler.parameters;
  const { body } = handler;
  if (body === undefined || response === undefined || !ts.isIdentifier(response.name)) return undefined;
  const references = referencesTo(response.name, body, checker);
  const [sent] = references.map((each) => readResponse(each, handler));
  if (sent?.body === undefined || references.length !== 1) return undefined;
  if (sent.status !== String(rejectionHandlers.get(name))) return undefined;
  const content = sent.body;
  const edits: TextEdit[] = [];
  const start = content.getStart();
  let isPlain = true;
  const visit = (node: ts.Node): void => {
    if (/^\w+\.validation\.errors$/.test(node.getText()) && context?.name.getText() === node.getText().split(".")[0]) {
      edits.push({ start: node.getStart() - start, end: node.getEnd() - start, text: errorsText });
      return;
    }
    // The server responds with other statuses in the same form.
    if (ts.isPropertyAssignment(node) && node.initializer.getText() === sent.status) {
      edits.push({ start: node.getStart() - start, end: node.getEnd() - start, text: toStatus(node.name.getText()) });
      return;
    }
    const isKey = ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node;
    if (ts.isIdentifier(node) && !isKey) isPlain = false;
    ts.forEachChild(node, visit);
  };
  visit(content);
  return isPlain ? { name, text: applyEdits(content.getText(), edits) } : undefined;
}

function toStatus(name: string): string {
  return name === "status" ? "status" : `${name}: status`;
}

/** The code of the option `errorBody`. Undefined without bodies. */
export function errorBodyOf(bodies: readonly RejectionBody[]): string | undefined {
  const [first] = bodies;
  if (first === undefined) return undefined;
  const general = bodies.find(({ name }) => name === "validationFail");
  const special = bodies.filter((each) => each !== general);
  const indent = (text: string): string => text.replaceAll("\n", "\n  ");
  const lines = special.map(
    ({ name, text }) => `  if (status === ${rejectionHandlers.get(name)}) return ${indent(text)};`,
  );
  const rest = `  return ${general === undefined ? "{ errors }" : indent(general.text)};`;
  return `({ status, errors }) => {\n${[...lines, rest].join("\n")}\n}`;
}
