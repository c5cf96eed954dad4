import type { Api } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { toKey } from "../../code-text.js";
import { resolveFunction } from "../express/resolve-symbol.js";
import {
  indentOf,
  movedText,
  propertyOf,
  valueNodeOf,
  type GivenOption,
  type OptionResult,
  type ValidatorSetUp,
} from "./set-up.js";

/** `validateSecurity` and `securityHandlers` become `security`: a function for each scheme. */
export function migrateSecurity({ property, name, value }: GivenOption, setUp: ValidatorSetUp): OptionResult {
  if (value.kind === ts.SyntaxKind.FalseKeyword) return { kind: "remove" };
  const handlers = name === "securityHandlers" ? valueNodeOf(property) : propertyOf(value, "handlers");
  const { api, recorder } = setUp;
  if (handlers === undefined) {
    const isLiteral = value.kind === ts.SyntaxKind.TrueKeyword || ts.isObjectLiteralExpression(value);
    const checks = presenceChecks(api);
    if (!isLiteral)
      return { kind: "decide", message: "`security` is an object with a function for each scheme. Write it in place." };
    return checks === undefined ? { kind: "remove" } : { kind: "replace", text: `security: ${checks}` };
  }
  const adapt = setUp.importHandler("securityHandler");
  if (ts.isObjectLiteralExpression(handlers)) {
    for (const each of handlers.properties) adaptHandler(each, adapt, setUp);
    return { kind: "replace", text: (textOf) => `security: ${movedText(textOf(handlers), handlers, property)}` };
  }
  const type = recorder.checker.getTypeAtLocation(handlers);
  const entries = api.securitySchemes.map(({ name: scheme }) => {
    const handler = type.getProperty(scheme)?.valueDeclaration;
    if (handler !== undefined) reportSchema(handler, setUp);
    const member = /^[A-Za-z_$][\w$]*$/.test(scheme) ? `.${scheme}` : `[${JSON.stringify(scheme)}]`;
    return `${toKey(scheme)}: ${adapt}(${handlers.getText()}${member})`;
  });
  return { kind: "replace", text: `security: { ${entries.join(", ")} }` };
}

/** Functions that accept any credential: without handlers, the tool only requires that there is one. Undefined where it requires none. */
export function presenceChecks({ securitySchemes, operations }: Api): string | undefined {
  const required = new Set(operations.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)));
  // Of these two, the tool requires nothing.
  const isOpen = securitySchemes.some(({ name, kind }) => required.has(name) && /^(oauth2|openIdConnect)$/.test(kind));
  if (required.size === 0 || isOpen) return undefined;
  return `{ ${securitySchemes.map(({ name }) => `${toKey(name)}: () => true`).join(", ")} }`;
}

function adaptHandler(handler: ts.ObjectLiteralElementLike, adapt: string, setUp: ValidatorSetUp): void {
  const { recorder } = setUp;
  reportSchema(handler, setUp);
  const file = handler.getSourceFile();
  if (ts.isPropertyAssignment(handler))
    recorder.replace(handler.initializer, (textOf) => `${adapt}(${textOf(handler.initializer)})`);
  else if (ts.isShorthandPropertyAssignment(handler))
    recorder.replace(handler, `${handler.name.text}: ${adapt}(${handler.name.text})`);
  else if (ts.isMethodDeclaration(handler)) {
    const isAsync = handler.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
    const head = `${handler.name.getText()}: ${adapt}(${isAsync ? "async " : ""}function `;
    recorder.edit(file, { start: handler.getStart(), end: handler.name.getEnd(), text: head });
    recorder.edit(file, { start: handler.getEnd(), end: handler.getEnd(), text: ")" });
  }
}

/** A handler of the tool may take the scheme as its third argument. */
function reportSchema(handler: ts.Node, { recorder }: ValidatorSetUp): void {
  const value = ts.isPropertyAssignment(handler) ? handler.initializer : handler;
  const parameters = resolveFunction(value, recorder.checker)?.parameters ?? [];
  if (parameters.length > 2)
    recorder.mark(handler, "`security` passes no scheme of the description. Write what the handler needs of it there.");
}

/**
 * `validateResponses` with `onError`: the tool passes the response on, unless the function throws.
 *
 * @returns undefined without such a function, and for one that only throws
 */
export function migrateInvalidResponses(
  { property, value }: GivenOption,
  { recorder, importHandler }: ValidatorSetUp,
): OptionResult | undefined {
  const hasHandler =
    ts.isObjectLiteralExpression(value) && value.properties.some((each) => each.name?.getText() === "onError");
  const handler = propertyOf(value, "onError");
  if (!hasHandler || handler?.kind === ts.SyntaxKind.NullKeyword) return undefined;
  const report = handler && resolveFunction(handler, recorder.checker);
  const { body, parameters } = report ?? { body: undefined, parameters: [] };
  if (body !== undefined && ts.isBlock(body) && body.statements[0]?.kind === ts.SyntaxKind.ThrowStatement)
    return undefined;
  if (handler === undefined || body === undefined || parameters.length > 1 || /\bthrow\b/.test(body.getText()))
    return { kind: "decide", message: otherReport };
  const start = `validateResponses: "report",\n${indentOf(property)}onInvalidResponse: ${importHandler("reportHttpError")}`;
  return { kind: "replace", text: (textOf) => `${start}(${movedText(textOf(handler), handler, property)})` };
}

const otherReport =
  'Set `validateResponses: "report"`, and pass `onInvalidResponse`, which receives the operation, the status and the issues of a response: neither its body nor the request.';
