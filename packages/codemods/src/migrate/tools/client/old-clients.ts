import { ts } from "ts-morph";
import { importedNames, type ImportedName } from "../../../handlers/syntax/imports.js";
import { hasExport } from "../../../handlers/syntax/references.js";
import { unwrap } from "../../../impact/expressions.js";
import type { CodeRecorder } from "../code-recorder.js";
import type { TextOf } from "../nested-edits.js";
import type { NewOptions } from "./client-options.js";
import { resolveDeclaration } from "./generated-imports.js";

/** A client that code creates by a function of another tool. */
export interface OldClient {
  /** The call that creates it. */
  readonly creation: ts.CallExpression;
  /** The import of the function that creates it. */
  readonly creator: ImportedName;
  /** The variable that has it. Undefined: something else has it, such as a property. */
  readonly variable: ts.VariableDeclaration | undefined;
  /** The statements that set it up: they register middleware or interceptors, or declare them. */
  readonly setUp: readonly ts.Statement[];
  /** The options of the new client. */
  readonly options: NewOptions;
}

/** What becomes of a client: it stays, a new one takes its place, or a new one stands beside it for migrated code. */
export type ClientMove = "stays" | "replaced" | "beside";

/** The variable that a call initializes. */
export function variableOf(creation: ts.CallExpression): ts.VariableDeclaration | undefined {
  let node: ts.Expression = creation;
  while (
    ts.isAsExpression(node.parent) ||
    ts.isParenthesizedExpression(node.parent) ||
    ts.isSatisfiesExpression(node.parent)
  )
    node = node.parent;
  const { parent } = node;
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent : undefined;
}

/** The statement that declares one variable. */
export function statementOf({ parent }: ts.VariableDeclaration): ts.VariableStatement | undefined {
  if (!ts.isVariableDeclarationList(parent) || parent.declarations.length > 1) return undefined;
  return ts.isVariableStatement(parent.parent) ? parent.parent : undefined;
}

/** The statement behind another in the same block. */
export function nextStatement(statement: ts.Statement): ts.Statement | undefined {
  const { parent } = statement;
  const all: readonly ts.Statement[] = ts.isSourceFile(parent) || ts.isBlock(parent) ? parent.statements : [];
  return all[all.indexOf(statement) + 1];
}

/** The name of the new client that an earlier run has put behind an old one. */
export function nameOfTwin(variable: ts.VariableDeclaration, recorder: CodeRecorder): string | undefined {
  const statement = statementOf(variable);
  const next = statement && nextStatement(statement);
  if (next === undefined || !ts.isVariableStatement(next)) return undefined;
  const [{ name, initializer } = { name: undefined, initializer: undefined }] = next.declarationList.declarations;
  const value = initializer && unwrap(initializer);
  if (name === undefined || value === undefined || !ts.isCallExpression(value)) return undefined;
  return isOfTarget(value.expression, recorder) && ts.isIdentifier(name) ? name.text : undefined;
}

/** Whether a file imports the name of a function from the generated package. */
function isOfTarget(callee: ts.Expression, { targetModule }: CodeRecorder): boolean {
  const file = callee.getSourceFile();
  const module = targetModule(file);
  return file.statements.some(
    (each) =>
      ts.isImportDeclaration(each) &&
      ts.isStringLiteral(each.moduleSpecifier) &&
      each.moduleSpecifier.text === module &&
      each.importClause?.namedBindings !== undefined &&
      ts.isNamedImports(each.importClause.namedBindings) &&
      each.importClause.namedBindings.elements.some(({ name }) => name.text === callee.getText()),
  );
}

/** Whether other files can import a variable. */
export function isExportedVariable(variable: ts.VariableDeclaration, checker: ts.TypeChecker): boolean {
  const statement = statementOf(variable);
  if (statement === undefined || !ts.isSourceFile(statement.parent)) return false;
  if (hasExport(statement)) return true;
  const module = checker.getSymbolAtLocation(statement.parent);
  const all = module === undefined ? [] : checker.getExportsOfModule(module);
  return all.some((each) => {
    const isAlias = (each.flags & ts.SymbolFlags.Alias) !== 0;
    return (isAlias ? checker.getAliasedSymbol(each) : each).valueDeclaration === variable;
  });
}

/** How a new client is used. */
export interface NewClientUse {
  /** The name of the function that creates clients, if that becomes free. */
  readonly creator: string | undefined;
  /** Whether another file needs it. */
  readonly isShared: boolean;
}

/** The new clients of a tool: what becomes of the old ones, and how code names the new ones. */
export interface NewClients {
  /** Records what becomes of a client. */
  readonly record: (client: OldClient, move: ClientMove, use: NewClientUse) => void;
  /** The name of the new client in a file that may have no mention of the old one. */
  readonly nameIn: (client: OldClient, file: ts.SourceFile) => string;
  /**
   * The new client in the place of a mention of the old one.
   *
   * @param mention an expression that is the old client
   */
  readonly textAt: (client: OldClient, mention: ts.Expression, textOf: TextOf) => string;
}

/** Creates the new clients of a tool. */
export function createNewClients(recorder: CodeRecorder): NewClients {
  const names = new Map<OldClient, string>();
  const importInto = (client: OldClient, file: ts.SourceFile, name: string): string =>
    client.creation.getSourceFile() === file
      ? name
      : recorder.importName(file, { imported: name, isType: false, module: moduleOf(client, file, recorder) });
  return {
    nameIn: (client, file) => importInto(client, file, names.get(client) ?? client.variable?.name.getText() ?? ""),
    textAt(client, mention, textOf) {
      const name = names.get(client);
      if (name === undefined) return textOf(mention);
      const file = mention.getSourceFile();
      const old = importedNames(file).find(({ local }) => local === mention.getText());
      if (old !== undefined) recorder.releaseImport(old);
      return importInto(client, file, name);
    },
    record(client, move, use) {
      const { variable, creation } = client;
      const twin = variable && nameOfTwin(variable, recorder);
      if (twin !== undefined) names.set(client, twin);
      else if (move === "beside" && variable !== undefined)
        names.set(client, recorder.freeName(variable.name.getText(), creation.getSourceFile()));
      if (move === "beside" && twin === undefined) addTwin(client, { ...use, name: names.get(client) ?? "" }, recorder);
      if (move === "replaced") replaceClient(client, { ...use, hasTwin: twin !== undefined }, recorder);
    },
  };
}

function addTwin(
  { creation, variable, options }: OldClient,
  { name, isShared }: NewClientUse & { readonly name: string },
  recorder: CodeRecorder,
): void {
  const statement = variable && statementOf(variable);
  if (statement === undefined || variable === undefined) return;
  const file = creation.getSourceFile();
  const start = `${isShared || isExportedVariable(variable, recorder.checker) ? "export " : ""}const ${name}`;
  recorder.insertAfter(statement, (textOf) => {
    const create = recorder.importName(file, { imported: "createClient", isType: false });
    return `${start} = ${create}(${options.text(textOf)});`;
  });
  recorder.report("done", creation, `\`${name}\` is a client of the generated package, beside the old one.`);
}

function replaceClient(
  { creation, variable, setUp, options }: OldClient,
  { hasTwin, creator, isShared }: NewClientUse & { readonly hasTwin: boolean },
  recorder: CodeRecorder,
): void {
  const file = creation.getSourceFile();
  for (const each of setUp) recorder.removeStatement(each);
  const statement = variable && statementOf(variable);
  if (hasTwin && statement !== undefined) {
    recorder.removeStatement(statement);
    recorder.report("done", creation, "Nothing uses the old client any longer.");
    return;
  }
  if (isShared && statement !== undefined && variable !== undefined && !isExportedVariable(variable, recorder.checker))
    recorder.edit(file, { start: statement.getStart(), end: statement.getStart(), text: "export " });
  const preferred = creator === undefined ? {} : { local: creator };
  recorder.replace(creation, (textOf) => {
    const create = recorder.importName(file, { imported: "createClient", isType: false, ...preferred });
    return `${create}(${options.text(textOf)})`;
  });
  recorder.report("done", creation, "The client is created by `createClient` of the generated package.");
}

/** What a file imports the client of another file from: as it imports the old one, or else the path. */
function moduleOf({ creation }: OldClient, file: ts.SourceFile, { checker }: CodeRecorder): string {
  const home = creation.getSourceFile();
  for (const each of file.statements) {
    if (!ts.isImportDeclaration(each) || !ts.isStringLiteral(each.moduleSpecifier)) continue;
    if (checker.getSymbolAtLocation(each.moduleSpecifier)?.valueDeclaration === home) return each.moduleSpecifier.text;
  }
  return home.fileName;
}

/** The variable with a client that an expression names. */
export function variableNamedBy(node: ts.Node, checker: ts.TypeChecker): ts.VariableDeclaration | undefined {
  const declaration = resolveDeclaration(node, checker);
  return declaration !== undefined && ts.isVariableDeclaration(declaration) ? declaration : undefined;
}

/** Whether a node is a part of another. */
export function isInside(node: ts.Node, outer: ts.Node): boolean {
  return node.getSourceFile() === outer.getSourceFile() && outer.pos <= node.pos && node.end <= outer.end;
}
