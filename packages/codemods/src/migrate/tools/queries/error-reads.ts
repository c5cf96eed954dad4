import { ts } from "ts-morph";
import type { TypeText } from "../client/generated-client.js";
import { isJavaScript } from "../client/type-uses.js";
import type { CodeRecorder } from "../code-recorder.js";
import { importTypes } from "../results/migrate-result.js";
import type { RecordEdits } from "../results/migrated-call.js";
import { referencesOf } from "../variable-references.js";

/** What is known about the errors of a hook. */
export interface HookError {
  /** The type of the bodies of documented errors. */
  readonly body: TypeText | undefined;
  /** Whether the compiler knows that they are errors of the generated package. */
  readonly isTyped: boolean;
}

/**
 * Reads a mention of the error of a hook. It was the body of the response, and is an error that has the body now.
 *
 * @returns what records its edits. Undefined if it is not understood
 */
export function planErrorRead(node: ts.Expression, error: HookError, recorder: CodeRecorder): RecordEdits | undefined {
  const { parent } = node;
  if (ts.isThrowStatement(parent))
    return () => recorder.mark(node, "What is thrown is an ApiError now. Its `body` has what was thrown before.");
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node)
    return error.body !== undefined && allowsUndefined(parent, recorder.checker)
      ? () => readBody(parent, error, recorder)
      : undefined;
  return isTested(node) || isLogged(parent) ? () => undefined : undefined;
}

/** `error.why` becomes `(error.body as Problem | undefined)?.why`: without a response, there is no body. */
function readBody(access: ts.PropertyAccessExpression, { body, isTyped }: HookError, recorder: CodeRecorder): void {
  const file = access.getSourceFile();
  const isOptional = access.questionDotToken !== undefined;
  recorder.replace(access, (textOf) => {
    const error = textOf(access.expression);
    const typed = (): string => {
      const type = recorder.importName(file, { imported: "ApiError", isType: true });
      return `(${error} as ${type}${isOptional ? " | null" : ""})`;
    };
    const value = `${isTyped || isJavaScript(file) ? error : typed()}${isOptional ? "?." : "."}body`;
    if (isJavaScript(file) || body === undefined) return `${value}?.${access.name.text}`;
    return `(${value} as ${importTypes(body, file, recorder)} | undefined)?.${access.name.text}`;
  });
}

/** Whether code may get undefined in the place of a property of the body. */
function allowsUndefined(access: ts.PropertyAccessExpression, checker: ts.TypeChecker): boolean {
  const { parent } = access;
  if (access.questionDotToken !== undefined || ts.isJsxExpression(parent) || ts.isTemplateSpan(parent)) return true;
  if (ts.isBinaryExpression(parent) && parent.left === access)
    return /^(\?\?|\|\||&&|[!=]==?)$/.test(parent.operatorToken.getText());
  if (isLogged(parent)) return true;
  const expected = checker.getContextualType(access);
  return expected !== undefined && checker.isTypeAssignableTo(checker.getUndefinedType(), expected);
}

function isLogged(parent: ts.Node): boolean {
  return ts.isCallExpression(parent) && parent.expression.getText().startsWith("console.");
}

/** Whether code only asks whether there is an error. */
function isTested(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent)) return isTested(parent);
  if (ts.isPrefixUnaryExpression(parent)) return parent.operator === ts.SyntaxKind.ExclamationToken;
  if (ts.isIfStatement(parent)) return parent.expression === node;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  if (!ts.isBinaryExpression(parent) || parent.left !== node) return false;
  const isCompared = /^[!=]==?$/.test(parent.operatorToken.getText());
  return isCompared
    ? /^(undefined|null)$/.test(parent.right.getText())
    : /^(&&|\|\|)$/.test(parent.operatorToken.getText());
}

/** The callbacks of options that get an error, by the place of the parameter. */
const errorParameters: Readonly<Record<string, number>> = { onError: 0, onSettled: 1, retry: 1, throwOnError: 0 };

/** Reads the callbacks of options that get an error. Undefined if one is not understood. */
export function planErrorCallbacks(
  options: ts.ObjectLiteralExpression,
  error: HookError,
  recorder: CodeRecorder,
): readonly RecordEdits[] | undefined {
  const plans: RecordEdits[] = [];
  for (const property of options.properties) {
    const index = errorParameters[property.name?.getText() ?? ""];
    if (index === undefined) continue;
    const callback = ts.isPropertyAssignment(property) ? property.initializer : property;
    if (!ts.isFunctionLike(callback)) {
      if (ts.isPropertyAssignment(property) && !ts.isIdentifier(callback)) continue;
      return undefined;
    }
    const parameter = callback.parameters[index];
    if (parameter === undefined) continue;
    if (parameter.type !== undefined || !ts.isIdentifier(parameter.name)) return undefined;
    for (const node of referencesOf(parameter.name, recorder.checker)) {
      const plan = planErrorRead(node, error, recorder);
      if (plan === undefined) return undefined;
      plans.push(plan);
    }
  }
  return plans;
}
