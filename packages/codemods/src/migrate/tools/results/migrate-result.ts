import { ts } from "ts-morph";
import type { TypeText } from "../client/generated-client.js";
import { isJavaScript } from "../client/type-uses.js";
import type { CodeRecorder } from "../code-recorder.js";
import { findCallContext, type CallContext } from "./call-context.js";
import { wrapCall, type MigratedCall, type ResultMigration } from "./migrated-call.js";
import { isUnreachable, outcomeAt, type Test } from "./narrowing.js";
import { findResultReferences, isNarrowed, type ResultReference } from "./result-references.js";
import { findResultTest } from "./result-tests.js";
import { replacementOf, textOfTest, withoutParentheses, type NewResult } from "./result-texts.js";
import { migrateThrowingCall } from "./throwing-calls.js";

/**
 * Records the edits of a call and of what reads its result.
 *
 * @returns false if the code around the call is not understood: then nothing is recorded
 */
export function migrateResult(migrated: MigratedCall, migration: ResultMigration): boolean {
  const context = findCallContext(migrated.call);
  if (context === undefined) return false;
  if (migrated.throws) return migrateThrowingCall(migrated, context, migration);
  if (context.kind === "ignored") {
    wrapCall(migrated, ["toResult"], migration.recorder);
    return true;
  }
  if (context.kind === "property") return migratePropertyRead(migrated, context.access, migration.recorder);
  return migrateBinding(migrated, context, migration);
}

/** The type of the result that the promise of a call has. Undefined where it is unknown. */
export function resultType(call: ts.CallExpression, checker: ts.TypeChecker): ts.Type | undefined {
  const type = checker.getAwaitedType(checker.getTypeAtLocation(call));
  if (type === undefined || (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return undefined;
  return type.isUnion() ? type.types[0] : type;
}

/** `(await call).data` */
function migratePropertyRead(
  migrated: MigratedCall,
  access: ts.PropertyAccessExpression,
  recorder: CodeRecorder,
): boolean {
  if (access.name.text !== "data") return false;
  const file = access.getSourceFile();
  // What follows relies on a success already.
  if (ts.isNonNullExpression(access.parent)) {
    const node = access.parent;
    recorder.replace(node, (textOf) => withoutParentheses(`(await ${migrated.text(textOf)})`, node));
    return true;
  }
  const toResult = recorder.importName(file, { imported: "toResult", isType: false });
  recorder.replace(access, (textOf) => {
    const data = `.then((each) => (each.ok ? each.data : undefined))`;
    return withoutParentheses(`(await ${toResult}(${migrated.text(textOf)})${data})`, access);
  });
  return true;
}

type Binding = Extract<CallContext, { kind: "bound" }>;

function migrateBinding(migrated: MigratedCall, binding: Binding, migration: ResultMigration): boolean {
  const { name, declaration } = binding;
  const data = findOnlyData(name);
  if (data !== undefined && ts.isVariableDeclaration(declaration) && insertsData(declaration)) {
    const result = migration.names.find(declaration, migrated.operation.name);
    migration.recorder.replace(name, result);
    wrapCall(migrated, ["toResult"], migration.recorder);
    declareData({ declaration, data, result }, migration.recorder);
    return true;
  }
  const uses = findUses(migrated, binding, migration);
  if (uses === undefined) return false;
  const { result, reads } = uses;
  if (reads.some((textOf) => textOf(result) === undefined)) return false;
  if (!ts.isIdentifier(name)) migration.recorder.replace(name, result.name);
  wrapCall(migrated, result.hasResponse ? ["toResult", "withResponse"] : ["toResult"], migration.recorder);
  migrateTests(uses, migration.recorder);
  migrateReads(uses, name.getSourceFile(), migration.recorder);
  return true;
}

/** What reads a result, and what the result becomes. */
interface ResultUses {
  readonly placed: readonly {
    readonly reference: ResultReference;
    readonly test: ReturnType<typeof findResultTest>;
    readonly outcome: ReturnType<typeof outcomeAt>;
  }[];
  readonly tests: ReadonlyMap<ts.Node, Test>;
  readonly result: NewResult;
  readonly body: TypeText | undefined;
  /** The new texts of what is no test. */
  readonly reads: readonly ((result: NewResult) => ReturnType<typeof replacementOf>)[];
}

/** Returns undefined where it is not clear what the code does with a result. */
function findUses(
  { operation }: MigratedCall,
  { name, declaration }: Binding,
  { recorder, client, names }: ResultMigration,
): ResultUses | undefined {
  const references = findResultReferences(name, recorder.checker);
  if (references === undefined) return undefined;
  const tested = references.map((reference) => ({
    reference,
    test: findResultTest(reference, operation, recorder.checker),
  }));
  const testsData = tested.some(({ reference, test }) => reference.field === "data" && test !== undefined);
  if (testsData && !client.hasTruthyData(operation)) return undefined;
  const tests = new Map<ts.Node, Test>(tested.flatMap(({ test }) => (test === undefined ? [] : [[test.node, test]])));
  const placed = tested.map((each) => ({ ...each, outcome: outcomeAt(each.reference.node, tests) }));
  // Where a switch selects by status, the compiler does not know the outcome.
  const isUnclear = placed.some(({ reference: { node }, test, outcome }) => {
    if (outcome === undefined && isSwitched(node)) return true;
    if (test !== undefined) return false;
    return isUnreachable(node, tests) || (outcome === undefined && isNarrowed(node, recorder.checker));
  });
  if (isUnclear) return undefined;
  const hasResponse = placed.some(({ reference, test, outcome }) =>
    test === undefined
      ? reference.field === "response" && outcome !== "error"
      : test.status !== undefined && test.status < 400,
  );
  // JavaScript has no types to write.
  const body = isJavaScript(name.getSourceFile()) ? undefined : client.errorBodyOf(operation);
  const resultName = ts.isIdentifier(name) ? name.text : names.find(declaration, operation.name);
  const reads = placed
    .filter(({ test }) => test === undefined)
    .map(
      ({ reference, outcome }) =>
        (result: NewResult) =>
          replacementOf(reference, result, outcome),
    );
  return { placed, tests, body, reads, result: { name: resultName, hasResponse, errorBody: body?.text } };
}

function migrateTests({ placed, tests, result }: ResultUses, recorder: CodeRecorder): void {
  for (const { reference, test, outcome } of placed) {
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

function migrateReads({ reads, result, body }: ResultUses, file: ts.SourceFile, recorder: CodeRecorder): void {
  // Types are imported at the end, when it is known which names of the old imports are free.
  const withTypes = (): NewResult => ({ ...result, errorBody: body && importTypes(body, file, recorder) });
  for (const textOf of reads) {
    const { node, text } = textOf(result) ?? {};
    if (node === undefined) continue;
    const isShorthand = ts.isShorthandPropertyAssignment(node.parent);
    const usesType = text?.includes(" as ") === true;
    recorder.replace(node, () => {
      const replacement = withoutParentheses(textOf(usesType ? withTypes() : result)?.text ?? "", node);
      return isShorthand ? `${node.getText()}: ${replacement}` : replacement;
    });
  }
}

/** The text of a type, with the names that the file has for its parts. */
function importTypes({ text, names }: TypeText, file: ts.SourceFile, recorder: CodeRecorder): string {
  const locals = new Map(names.map((imported) => [imported, recorder.importName(file, { imported, isType: true })]));
  return text.replaceAll(/[\w$]+/g, (each) => locals.get(each) ?? each);
}

function isSwitched({ parent }: ts.Expression): boolean {
  const at = ts.isPropertyAccessExpression(parent) ? parent.parent : parent;
  return ts.isSwitchStatement(at);
}

/** The variable of a pattern that reads nothing but the data: `{ data: pets = [] }`. */
function findOnlyData(name: ts.BindingName): ts.BindingElement | undefined {
  const [element, ...others] = ts.isObjectBindingPattern(name) ? name.elements : [];
  if (element === undefined || others.length > 0 || element.dotDotDotToken !== undefined) return undefined;
  const key = element.propertyName ?? element.name;
  return ts.isIdentifier(key) && key.text === "data" && ts.isIdentifier(element.name) ? element : undefined;
}

/** Whether a statement can follow a declaration. */
function insertsData({ parent }: ts.VariableDeclaration): boolean {
  const statement =
    ts.isVariableDeclarationList(parent) && parent.declarations.length === 1 ? parent.parent : undefined;
  return statement !== undefined && ts.isVariableStatement(statement) && statement.modifiers === undefined;
}

interface DeclaredData {
  readonly declaration: ts.VariableDeclaration;
  readonly data: ts.BindingElement;
  /** The name of the new result. */
  readonly result: string;
}

/** Keeps the variable with the data, so that everything that reads it stays as it is. */
function declareData({ declaration, data, result }: DeclaredData, recorder: CodeRecorder): void {
  const file = declaration.getSourceFile();
  const statement = declaration.parent.parent;
  const start = statement.getStart(file);
  const indent = /[ \t]*$/.exec(file.text.slice(0, start))?.[0] ?? "";
  const end = statement.getEnd();
  recorder.edit(file, {
    start: end,
    end,
    text: `\n${indent}const ${data.name.getText()} = ${result}.ok ? ${result}.data : ${data.initializer?.getText() ?? "undefined"};`,
  });
}

/** `data && value`, where the code uses what it evaluates to. */
function replaceValueTest(node: ts.Expression, text: string, recorder: CodeRecorder): void {
  const { parent } = node;
  if (!ts.isBinaryExpression(parent) || ts.isJsxExpression(parent.parent)) recorder.replace(node, text);
  else
    recorder.replace(parent, (textOf) => withoutParentheses(`(${text} ? ${textOf(parent.right)} : undefined)`, parent));
}

/** The widest expression that has the same outcomes: `error || !data` tests only one thing. */
function widest(node: ts.Expression, tests: ReadonlyMap<ts.Node, Test>): ts.Expression {
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
