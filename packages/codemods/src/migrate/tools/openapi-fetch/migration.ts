import { ts } from "ts-morph";
import { importedNames, type ImportedName } from "../../../handlers/syntax/imports.js";
import { describeGeneratedClient, takesToken } from "../client/generated-client.js";
import { resolveDeclaration } from "../client/generated-imports.js";
import type { CodeRecorder, ToolMigrator } from "../code-recorder.js";
import type { ResultMigration } from "../results/migrated-call.js";
import { createResultNames } from "../results/result-names.js";
import { migrateFetchCall } from "./calls.js";
import { migrateFetchClient } from "./client-setup.js";
import { migratePathTypes } from "./types.js";

/** Records the edits of code that uses openapi-fetch, with types in the form of openapi-typescript. */
export const migrateOpenapiFetch: ToolMigrator = ({ api }, recorder) => {
  const client = describeGeneratedClient(api);
  const migration: ResultMigration = { recorder, client, names: createResultNames() };
  const used = findClientsOfLibraries(recorder);
  for (const file of recorder.files) {
    if (isTypesFile(file)) continue;
    const imports = importedNames(file).filter(({ module }) => module === "openapi-fetch");
    const creator = imports.find(({ imported }) => imported === "default");
    for (const each of imports) recorder.releaseImport(each);
    releaseTypes(file, recorder);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) visitCall(node, creator, takesToken(api), { ...migration, used });
      if (ts.isTypeReferenceNode(node)) visitClientType(node, imports, recorder);
      if (migratePathTypes(node, client, recorder)) return;
      if (ts.isTypeReferenceNode(node)) reportPathType(node, recorder);
      ts.forEachChild(node, visit);
    };
    visit(file);
    reportOthers(file, recorder);
  }
};

/** A file that openapi-typescript has generated. */
function isTypesFile({ statements }: ts.SourceFile): boolean {
  const names = new Set(statements.flatMap((each) => ("name" in each ? [(each.name as ts.Identifier).text] : [])));
  return names.has("paths") && names.has("components");
}

function releaseTypes(file: ts.SourceFile, recorder: CodeRecorder): void {
  for (const each of importedNames(file))
    if (each.isType && ["components", "paths", "operations"].includes(each.imported)) recorder.releaseImport(each);
}

function visitCall(
  node: ts.CallExpression,
  creator: ImportedName | undefined,
  token: boolean,
  { used, ...migration }: ResultMigration & { readonly used: ReadonlySet<ts.Node> },
): void {
  const { expression } = node;
  const { recorder } = migration;
  if (ts.isIdentifier(expression)) {
    const isCreator = creator !== undefined && expression.text === creator.local;
    if (isCreator && (used.has(node) || used.has(node.parent)))
      recorder.report("notUnderstood", node, "The client is the one of another library, which needs it as it is.");
    else if (isCreator && ts.isVariableDeclaration(node.parent) && !ts.isIdentifier(node.parent.name))
      recorder.report("notUnderstood", node, "The client has no name, since its methods are destructured.");
    else if (isCreator) {
      migrateFetchClient(node, { recorder, name: creator, takesToken: token });
      recorder.removeImport(creator);
    }
    return;
  }
  if (!ts.isPropertyAccessExpression(expression)) return;
  const isMethod = /^(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE|request)$/.test(expression.name.text);
  if (isMethod && isFetchClient(expression.expression, recorder.checker)) migrateFetchCall(node, migration);
}

const libraries = /^openapi-(react-query|swr|msw)$|^swr-openapi$/;

/** The nodes that clients of such libraries are created from: calls, or declarations of variables. */
function findClientsOfLibraries({ files, checker }: CodeRecorder): ReadonlySet<ts.Node> {
  const nodes = new Set<ts.Node>();
  for (const file of files) {
    const names = new Set(importedNames(file).flatMap(({ module, local }) => (libraries.test(module) ? [local] : [])));
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && names.has(node.expression.getText()))
        for (const each of node.arguments) nodes.add(resolveDeclaration(each, checker) ?? each);
      ts.forEachChild(node, visit);
    };
    if (names.size > 0) visit(file);
  }
  return nodes;
}

/** Whether an expression is a client of openapi-fetch, by its type. */
function isFetchClient(node: ts.Expression, checker: ts.TypeChecker): boolean {
  const type = checker.getTypeAtLocation(node);
  const declarations = [type.aliasSymbol, type.symbol].flatMap((each) => each?.declarations ?? []);
  return declarations.some((each) => isOfOpenapiFetch(each.getSourceFile().fileName));
}

function isOfOpenapiFetch(file: string): boolean {
  return file.includes("/openapi-fetch/");
}

/** `Client<paths>` and `ReturnType<typeof createClient<paths>>` are `Client` of the generated package. */
function visitClientType(node: ts.TypeReferenceNode, imports: readonly ImportedName[], recorder: CodeRecorder): void {
  const name = imports.find(({ local, imported }) => imported === "Client" && local === node.typeName.getText());
  const file = node.getSourceFile();
  const creator = imports.find(({ imported }) => imported === "default")?.local;
  const [of] = node.typeArguments ?? [];
  const isReturned = node.typeName.getText() === "ReturnType" && of !== undefined && ts.isTypeQueryNode(of);
  if (isReturned && of.exprName.getText() === creator)
    recorder.replace(node, () => clientType(file, imports, recorder));
  if (name === undefined) return;
  recorder.removeImport(name);
  recorder.replace(node, () => clientType(file, imports, recorder));
}

/** Imports the type of clients, under the name of the old one if there is one. */
function clientType(file: ts.SourceFile, imports: readonly ImportedName[], recorder: CodeRecorder): string {
  const old = imports.find(({ imported }) => imported === "Client");
  return recorder.importName(file, {
    imported: "Client",
    isType: true,
    ...(old !== undefined && { local: old.local }),
  });
}

/** Lists what has no rewrite: other types, and clients of libraries beside openapi-fetch. */
function reportOthers(file: ts.SourceFile, { report }: CodeRecorder): void {
  for (const { module, imported, node } of importedNames(file)) {
    if (libraries.test(module))
      report(
        "toDecide",
        node,
        `${module} has no rewrite. Functions such as …Query of the generated package return options for TanStack Query and SWR.`,
      );
    if (module === "openapi-fetch" && !["default", "Client", "Middleware"].includes(imported))
      report("notUnderstood", node, `\`${imported}\` of openapi-fetch has no rewrite.`);
  }
}

/** Lists a type of openapi-typescript that stays, unless it is the argument of a client's type. */
function reportPathType(node: ts.TypeReferenceNode, { report }: CodeRecorder): void {
  if (!/^(paths|operations|components)$/.test(node.typeName.getText()) || !isRead(node)) return;
  report(
    "notUnderstood",
    node,
    "A type of openapi-typescript stays. The generated package has the same types in its export `./paths`.",
  );
}

function isRead({ parent }: ts.TypeReferenceNode): boolean {
  return !ts.isCallExpression(parent) && !ts.isTypeReferenceNode(parent) && !ts.isTypeQueryNode(parent);
}
