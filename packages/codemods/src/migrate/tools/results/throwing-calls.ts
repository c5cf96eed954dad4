import { ts } from "ts-morph";
import type { CallContext } from "./call-context.js";
import { wrapCall, type MigratedCall, type ResultMigration } from "./migrated-call.js";
import { fieldOf, findResultReferences, type ResultReference } from "./result-references.js";
import { withoutParentheses } from "./result-texts.js";

/**
 * Records the edits of a call that throws its errors, before and after.
 *
 * @returns false if the code around the call is not understood
 */
export function migrateThrowingCall(migrated: MigratedCall, context: CallContext, migration: ResultMigration): boolean {
  const { recorder } = migration;
  if (context.kind === "ignored") {
    wrapCall(migrated, [], recorder);
    return true;
  }
  if (context.kind === "property") {
    const { access } = context;
    if (access.name.text !== "data") return false;
    recorder.replace(access, (textOf) => withoutParentheses(`(await ${migrated.text(textOf)})`, access));
    return true;
  }
  const { name } = context;
  const only = ts.isObjectBindingPattern(name) && name.elements.length === 1 ? name.elements[0] : undefined;
  const field = only && fieldOf(only);
  if (only === undefined || field !== "data") return migrateThrowingResult(migrated, context, migration);
  recorder.replace(name, (textOf) => textOf(only.name));
  wrapCall(migrated, [], recorder);
  return true;
}

/** A result whose status and headers are read beside its data. */
function migrateThrowingResult(
  migrated: MigratedCall,
  { name, declaration }: Extract<CallContext, { kind: "bound" }>,
  { recorder, names }: ResultMigration,
): boolean {
  const references = findResultReferences(name, recorder.checker);
  if (references === undefined || references.some(({ field }) => field === "error")) return false;
  const responses = references.filter(({ field }) => field === "response");
  if (responses.length > 0) {
    if (!responses.every(({ node }) => readsStatusOrHeaders(node))) return false;
    const result = ts.isIdentifier(name) ? name.text : names.find(declaration, migrated.operation.name);
    if (!ts.isIdentifier(name)) recorder.replace(name, result);
    for (const each of references) replaceRead(each, result, recorder.replace);
  }
  wrapCall(migrated, ["withResponse"], recorder);
  return true;
}

function readsStatusOrHeaders(node: ts.Expression): boolean {
  const { parent } = node;
  const isRead = ts.isPropertyAccessExpression(parent) && parent.expression === node;
  return isRead && ["status", "headers"].includes(parent.name.text);
}

/** `response.status` of the old result is `status` of the new one. */
function replaceRead(
  { field, node }: ResultReference,
  result: string,
  replace: (node: ts.Node, text: string) => void,
): void {
  const { parent } = node;
  if (field !== "response") {
    const text = `${result}.${field}`;
    replace(node, ts.isShorthandPropertyAssignment(parent) ? `${node.getText()}: ${text}` : text);
  } else if (ts.isPropertyAccessExpression(parent)) replace(parent, `${result}.${parent.name.text}`);
}
