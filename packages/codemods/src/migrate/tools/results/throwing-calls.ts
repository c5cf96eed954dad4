import { ts } from "ts-morph";
import type { CodeRecorder } from "../code-recorder.js";
import type { CallContext } from "./call-context.js";
import { wrapCall, type MigratedCall, type RecordEdits, type ResultMigration } from "./migrated-call.js";
import { fieldOf, findResultReferences, type ResultReference } from "./result-references.js";
import { withoutParentheses } from "./result-texts.js";

/**
 * Reads what code does with the result of a call that throws its errors, before and after.
 *
 * @returns what records the edits. Undefined if the code around the call is not understood
 */
export function planThrowingCall(
  migrated: MigratedCall,
  context: CallContext,
  migration: ResultMigration,
): RecordEdits | undefined {
  const { recorder } = migration;
  const wrap = (): void => wrapCall(migrated, [], recorder);
  if (context.kind === "ignored") return wrap;
  if (context.kind === "property") {
    const { access } = context;
    if (access.name.text !== "data") return undefined;
    return () => recorder.replace(access, (textOf) => withoutParentheses(`(await ${migrated.text(textOf)})`, access));
  }
  const { name } = context;
  const only = ts.isObjectBindingPattern(name) && name.elements.length === 1 ? name.elements[0] : undefined;
  if (only === undefined || fieldOf(only) !== "data") return planThrowingResult(migrated, context, migration);
  return () => {
    recorder.replace(name, (textOf) => textOf(only.name));
    wrap();
  };
}

/** A result whose status and headers are read beside its data. */
function planThrowingResult(
  migrated: MigratedCall,
  { name, declaration }: Extract<CallContext, { kind: "bound" }>,
  { recorder, names }: ResultMigration,
): RecordEdits | undefined {
  const references = findResultReferences(name, recorder.checker);
  if (references === undefined || references.some(({ field }) => field === "error")) return undefined;
  const responses = references.filter(({ field }) => field === "response");
  if (!responses.every(({ node }) => readsStatusOrHeaders(node))) return undefined;
  return () => {
    if (responses.length > 0) {
      const result = ts.isIdentifier(name) ? name.text : names.find(declaration, migrated.operation.name);
      if (!ts.isIdentifier(name)) recorder.replace(name, result);
      for (const each of references) replaceRead(each, result, recorder);
    }
    wrapCall(migrated, ["withResponse"], recorder);
  };
}

function readsStatusOrHeaders(node: ts.Expression): boolean {
  const { parent } = node;
  const isRead = ts.isPropertyAccessExpression(parent) && parent.expression === node;
  return isRead && ["status", "headers"].includes(parent.name.text);
}

/** `response.status` of the old result is `status` of the new one. */
function replaceRead({ field, node }: ResultReference, result: string, { replace }: CodeRecorder): void {
  const { parent } = node;
  if (field !== "response") {
    const text = `${result}.${field}`;
    replace(node, ts.isShorthandPropertyAssignment(parent) ? `${node.getText()}: ${text}` : text);
  } else if (ts.isPropertyAccessExpression(parent)) replace(parent, `${result}.${parent.name.text}`);
}
