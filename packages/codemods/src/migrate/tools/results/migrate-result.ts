import { ts } from "ts-morph";
import type { TypeText } from "../client/generated-client.js";
import { isJavaScript } from "../client/type-uses.js";
import type { CodeRecorder } from "../code-recorder.js";
import { findCallContext, type CallContext } from "./call-context.js";
import { wrapCall, type MigratedCall, type RecordEdits, type ResultMigration } from "./migrated-call.js";
import { isUnreachable, outcomeAt, type Outcome, type Tests } from "./narrowing.js";
import { findResultReferences, isNarrowed, type ResultReference } from "./result-references.js";
import { findResultTest, type ResultTest } from "./result-tests.js";
import { replacementOf, textOfTest, withoutParentheses, type NewResult } from "./result-texts.js";
import { planThrowingCall } from "./throwing-calls.js";

/**
 * Reads what code does with the result of a call. It records nothing yet.
 *
 * @returns what records the edits of the call and of all that reads its result. Undefined if the code around it is not understood
 */
export function planResult(migrated: MigratedCall, migration: ResultMigration): RecordEdits | undefined {
  const context = findCallContext(migrated.call);
  if (context === undefined) return undefined;
  if (migrated.throws) return planThrowingCall(migrated, context, migration);
  switch (context.kind) {
    case "ignored":
      return () => wrapCall(migrated, ["toResult"], migration.recorder);
    case "property":
      return planPropertyRead(migrated, context.access, migration.recorder);
    case "bound":
      return planOnlyData(migrated, context, migration) ?? planBinding(migrated, context, migration);
  }
}

/** `(await call).data` */
function planPropertyRead(
  { text, call }: MigratedCall,
  access: ts.PropertyAccessExpression,
  recorder: CodeRecorder,
): RecordEdits | undefined {
  if (access.name.text !== "data") return undefined;
  const { parent } = access;
  // What follows `data!` relies on a success already.
  if (ts.isNonNullExpression(parent))
    return () => recorder.replace(parent, (textOf) => withoutParentheses(`(await ${text(textOf)})`, parent));
  return () => {
    const toResult = recorder.importName(call.getSourceFile(), { imported: "toResult", isType: false });
    recorder.replace(access, (textOf) => {
      const data = `.then((each) => (each.ok ? each.data : undefined))`;
      return withoutParentheses(`(await ${toResult}(${text(textOf)})${data})`, access);
    });
  };
}

type Binding = Extract<CallContext, { kind: "bound" }>;

/** `const { data = [] } = await call;` keeps its variable, so that everything that reads it stays as it is. */
function planOnlyData(
  migrated: MigratedCall,
  { name, declaration }: Binding,
  { recorder, names }: ResultMigration,
): RecordEdits | undefined {
  const data = findOnlyData(name);
  const statement = data && ts.isVariableDeclaration(declaration) ? extensibleStatement(declaration) : undefined;
  if (data === undefined || statement === undefined) return undefined;
  return () => {
    const result = names.find(declaration, migrated.operation.name);
    recorder.replace(name, result);
    wrapCall(migrated, ["toResult"], recorder);
    const value = `${result}.ok ? ${result}.data : ${data.initializer?.getText() ?? "undefined"}`;
    recorder.insertAfter(statement, `const ${data.name.getText()} = ${value};`);
  };
}

/** The variable of a pattern that reads nothing but the data: `{ data: pets = [] }`. */
function findOnlyData(name: ts.BindingName): ts.BindingElement | undefined {
  const [element, ...others] = ts.isObjectBindingPattern(name) ? name.elements : [];
  if (element === undefined || others.length > 0 || element.dotDotDotToken !== undefined) return undefined;
  const key = element.propertyName ?? element.name;
  return ts.isIdentifier(key) && key.text === "data" && ts.isIdentifier(element.name) ? element : undefined;
}

/** The statement of a declaration that another statement can follow. */
function extensibleStatement({ parent }: ts.VariableDeclaration): ts.VariableStatement | undefined {
  const statement =
    ts.isVariableDeclarationList(parent) && parent.declarations.length === 1 ? parent.parent : undefined;
  return statement !== undefined && ts.isVariableStatement(statement) && statement.modifiers === undefined
    ? statement
    : undefined;
}

/** A mention of a result, and what is known there. */
interface ResultUse {
  readonly reference: ResultReference;
  /** The test that it belongs to. Undefined: code reads the value. */
  readonly test: ResultTest | undefined;
  readonly outcome: Outcome | undefined;
}

function planBinding(
  migrated: MigratedCall,
  { name, declaration }: Binding,
  migration: ResultMigration,
): RecordEdits | undefined {
  const { operation } = migrated;
  const { recorder, client, names } = migration;
  const uses = findUses(migrated, name, migration);
  if (uses === undefined) return undefined;
  const file = name.getSourceFile();
  // JavaScript has no types to write.
  const body = isJavaScript(file) ? undefined : client.errorBodyOf(operation);
  const hasResponse = uses.some(needsResponse);
  const planned: NewResult = { name: "result", hasResponse, errorBody: body?.text };
  const reads = uses.filter(({ test }) => test === undefined);
  if (reads.some(({ reference, outcome }) => replacementOf(reference, planned, outcome) === undefined))
    return undefined;
  return () => {
    const result = { ...planned, name: ts.isIdentifier(name) ? name.text : names.find(declaration, operation.name) };
    if (!ts.isIdentifier(name)) recorder.replace(name, result.name);
    wrapCall(migrated, hasResponse ? ["toResult", "withResponse"] : ["toResult"], recorder);
    replaceTests(uses, result, recorder);
    for (const each of reads) replaceRead(each, { result, body }, recorder);
  };
}

/** Finds all uses of a result. Undefined where it is not clear what the code does with it. */
function findUses(
  { operation }: MigratedCall,
  name: ts.BindingName,
  { recorder: { checker }, client }: ResultMigration,
): readonly ResultUse[] | undefined {
  const tested = findResultReferences(name, checker)?.map((reference) => ({
    reference,
    test: findResultTest(reference, operation, checker),
  }));
  if (tested === undefined) return undefined;
  const testsData = tested.some(({ reference, test }) => reference.field === "data" && test !== undefined);
  if (testsData && !client.hasTruthyData(operation)) return undefined;
  const tests: Tests = new Map(tested.flatMap(({ test }) => (test === undefined ? [] : [[test.node, test]])));
  const uses = tested.map((each) => ({ ...each, outcome: outcomeAt(each.reference.node, tests) }));
  const isUnclear = ({ reference: { node }, test, outcome }: ResultUse): boolean => {
    // Where a switch selects by status, the compiler does not know the outcome.
    if (outcome === undefined && isSwitched(node)) return true;
    if (test !== undefined) return false;
    return isUnreachable(node, tests) || (outcome === undefined && isNarrowed(node, checker));
  };
  return uses.some(isUnclear) ? undefined : uses;
}

function isSwitched({ parent }: ts.Expression): boolean {
  const at = ts.isPropertyAccessExpression(parent) ? parent.parent : parent;
  return ts.isSwitchStatement(at);
}

/** Whether a use reads the status or the headers of a success. */
function needsResponse({ reference, test, outcome }: ResultUse): boolean {
  if (test === undefined) return reference.field === "response" && outcome !== "error";
  return test.status !== undefined && test.status < 400;
}

function replaceTests(uses: readonly ResultUse[], result: NewResult, recorder: CodeRecorder): void {
  const tests: Tests = new Map(uses.flatMap(({ test }) => (test === undefined ? [] : [[test.node, test]])));
  for (const { reference, test, outcome } of uses) {
    if (reference.field === "error" && ts.isThrowStatement(reference.node.parent))
      recorder.mark(reference.node, "What is thrown is an ApiError now. Its `body` has what was thrown before.");
    if (test === undefined) continue;
    const text = textOfTest(test, result, outcome);
    if (test.isValue) replaceValueTest(test.node, text, recorder);
    else {
      const node = widest(test.node, tests);
      recorder.replace(node, withoutParentheses(text, node));
    }
  }
}

/** `data && value`, where the code uses what it evaluates to. */
function replaceValueTest(node: ts.Expression, text: string, recorder: CodeRecorder): void {
  const { parent } = node;
  if (!ts.isBinaryExpression(parent) || ts.isJsxExpression(parent.parent)) recorder.replace(node, text);
  else
    recorder.replace(parent, (textOf) => withoutParentheses(`(${text} ? ${textOf(parent.right)} : undefined)`, parent));
}

/** The widest expression that has the same outcomes: `error || !data` tests only one thing. */
function widest(node: ts.Expression, tests: Tests): ts.Expression {
  const { parent } = node;
  if (!ts.isBinaryExpression(parent)) return node;
  const [left, right] = [tests.get(parent.left), tests.get(parent.right)];
  const isSame =
    left !== undefined &&
    right !== undefined &&
    left.whenTrue === right.whenTrue &&
    left.whenFalse === right.whenFalse &&
    left.whenTrue !== undefined &&
    left.whenFalse !== undefined;
  return isSame ? parent : node;
}

function replaceRead(
  { reference, outcome }: ResultUse,
  { result, body }: { readonly result: NewResult; readonly body: TypeText | undefined },
  recorder: CodeRecorder,
): void {
  const { node, text } = replacementOf(reference, result, outcome) ?? {};
  if (node === undefined) return;
  const file = node.getSourceFile();
  const prefix = ts.isShorthandPropertyAssignment(node.parent) ? `${node.getText()}: ` : "";
  const usesType = body !== undefined && text?.includes(" as ") === true;
  recorder.replace(node, () => {
    // Types are imported at the end, when it is known which names of the old imports are free.
    const typed = usesType ? { ...result, errorBody: importTypes(body, file, recorder) } : result;
    return prefix + withoutParentheses(replacementOf(reference, typed, outcome)?.text ?? "", node);
  });
}

/** The text of a type, with the names that the file has for its parts. */
export function importTypes({ text, names }: TypeText, file: ts.SourceFile, recorder: CodeRecorder): string {
  const locals = new Map(names.map((imported) => [imported, recorder.importName(file, { imported, isType: true })]));
  return text.replaceAll(/[\w$]+/g, (each) => locals.get(each) ?? each);
}
