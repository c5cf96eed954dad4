import path from "node:path";
import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { createClientModule } from "../client/client-module.js";
import { replaceEnumUses } from "../client/enum-uses.js";
import { clientSecurity, describeGeneratedClient } from "../client/generated-client.js";
import { findGeneratedImports, type GeneratedImport } from "../client/generated-imports.js";
import { createNewClients, isInside } from "../client/old-clients.js";
import { findOperationTypes } from "../client/operation-types.js";
import { renameTypeImport, replaceTypeImport } from "../client/type-uses.js";
import type { CodeRecorder, ToolMigrator } from "../code-recorder.js";
import { findQueryModule } from "../queries/query-module.js";
import { createResultNames } from "../results/result-names.js";
import { operationOfSdk } from "./calls.js";
import type { SetUpCall } from "./client-setup.js";
import { decideHeyMoves, replacedNodes, type HeyMoves } from "./decide-moves.js";
import { hasNewSetUp, readHeyCode, type GeneratedCall, type HeyCode, type HeyMigration } from "./sdk-code.js";

/** Records the edits of code that uses the functions and the client of hey-api. */
export const migrateHeyApi: ToolMigrator = ({ api, target }, recorder) => {
  const folder = findFolder(recorder);
  if (folder === undefined) return;
  const migration: HeyMigration = {
    recorder,
    client: describeGeneratedClient(api),
    names: createResultNames(),
    newClients: createNewClients(recorder),
    module: createClientModule({ folder, api, target }, recorder),
    security: clientSecurity(api),
    queries: findQueryModule(target, recorder),
    isGenerated: isGeneratedByHeyApi,
  };
  const gone: ts.Node[] = [];
  const isGone = (node: ts.Node): boolean => gone.some((each) => isInside(node, each));
  const code = readHeyCode(migration, (operation, imported, file) =>
    recorder.importName(file, {
      imported: operation.name,
      isType: false,
      ...(imported?.references.every(isGone) === true && { local: imported.name.local }),
    }),
  );
  const moves = decideHeyMoves(code, migration);
  gone.push(...goneNodes(code, moves));
  for (const each of code.calls) recordCall(each, moves, recorder);
  for (const each of code.setUp) recordSetUp(each, moves, migration);
  recordClients(code, moves, isGone, migration);
  recordImports(code, isGone, migration);
};

/** What has no mention of old code after the migration. */
function goneNodes({ calls, setUp, clients }: HeyCode, moves: HeyMoves): readonly ts.Node[] {
  return [
    ...calls.filter(moves.isMoved).flatMap(({ call }) => replacedNodes(call)),
    ...(moves.move === "replaced" ? setUp.map(({ call }) => call.expression) : []),
    ...clients.filter((each) => moves.moveOf(each) === "replaced").map(({ creation }) => creation),
  ];
}

function recordCall(generated: GeneratedCall, moves: HeyMoves, { report }: CodeRecorder): void {
  const { call, client, plan, cached } = generated;
  if (typeof plan !== "function") return report(plan.list, call, plan.message);
  const reason = moves.reasonToStay(client);
  if (reason !== undefined) report("notUnderstood", call, `The call stays with its client. ${reason}`);
  else if (moves.isMoved(generated)) plan();
  else report("notUnderstood", call, `The call stays, since other code uses the cached data of \`${cached?.name}\`.`);
}

/** `configureClient` takes the place of a set-up, or stands behind it as long as anything uses the old client. */
function recordSetUp(setUp: SetUpCall, { move }: HeyMoves, migration: HeyMigration): void {
  const { call, text, undecided } = setUp;
  const { recorder, module } = migration;
  const statement = call.parent;
  const hasNew = hasNewSetUp(setUp, migration);
  if (!hasNew) for (const { node, message } of undecided) recorder.report("toDecide", node, message);
  if (move === "stays" || !ts.isExpressionStatement(statement)) return;
  if (hasNew && move === "beside") return;
  if (hasNew) {
    recorder.removeStatement(statement);
    return recorder.report("done", call, "Nothing uses the old client any longer.");
  }
  if (text === undefined) return;
  const configure = module.configure(call.getSourceFile());
  if (move === "replaced") recorder.replace(call, (textOf) => `${configure}(${text(textOf)})`);
  else recorder.insertAfter(statement, (textOf) => `${configure}(${text(textOf)});`);
  const place = move === "replaced" ? "" : ", beside the old one";
  recorder.report("done", call, `\`configureClient\` sets up the new client${place}.`);
}

function recordClients(
  { clients }: HeyCode,
  moves: HeyMoves,
  isGone: (node: ts.Node) => boolean,
  { recorder, newClients }: HeyMigration,
): void {
  for (const each of clients) {
    const { creator, creation, options } = each;
    const isLast = findCreatorUses(creation, creator.local).every(isGone);
    newClients.record(each, moves.moveOf(each), {
      creator: isLast ? creator.local : undefined,
      isShared: false,
    });
    if (!recorder.files.includes(creation.getSourceFile())) continue;
    for (const { node, message } of options.undecided) recorder.report("toDecide", node, message);
  }
}

function findCreatorUses(creation: ts.CallExpression, name: string): readonly ts.Node[] {
  const uses: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === name) uses.push(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(creation.getSourceFile());
  return uses;
}

/** Removes imports that nothing uses, replaces types, and lists what is left. */
function recordImports({ files }: HeyCode, isGone: (node: ts.Node) => boolean, migration: HeyMigration): void {
  const { recorder, isGenerated } = migration;
  const types = memoizeTypes(migration);
  for (const { file, imports } of files) {
    for (const each of imports) {
      const remaining = each.references.filter((node) => !isGone(node));
      if (remaining.length === 0 && each.references.length > 0) recorder.removeImport(each.name);
      else if (!migrateImport(each, types, migration)) reportUses(each, remaining, recorder);
    }
    reportReexports(file, isGenerated, recorder);
  }
}

/** The operations of types such as `GetPetData`, which are searched for once. */
function memoizeTypes({ recorder, client, isGenerated }: HeyMigration): () => ReadonlyMap<string, Operation> {
  let types: ReadonlyMap<string, Operation> | undefined;
  return () => {
    types ??= findOperationTypes(recorder.allFiles.filter(isGenerated), (each) => operationOfSdk(each, client));
    return types;
  };
}

/** Migrates the import of an enum or a type. Returns false for others. */
function migrateImport(
  each: GeneratedImport,
  types: () => ReadonlyMap<string, Operation>,
  { client, recorder }: HeyMigration,
): boolean {
  const { declaration, name } = each;
  if (replaceEnumUses(each, client, recorder)) return true;
  if (!ts.isTypeAliasDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) return false;
  const data = client.schemaType(name.imported) === undefined ? types().get(name.imported) : undefined;
  // `GetPetData` has the locations of parameters and the body, as `GetPetRequest` does.
  if (data === undefined || !name.imported.endsWith("Data")) replaceTypeImport(each, client, recorder);
  else renameTypeImport(each, client.requestTypeOf(data), recorder);
  return true;
}

function reportUses(
  { name }: GeneratedImport,
  uses: readonly ts.Identifier[],
  { report, isReported }: CodeRecorder,
): void {
  for (const node of uses) {
    // Calls that are not understood are reported already.
    if (!isReported(node)) report("notUnderstood", node, `\`${name.imported}\` is used in a way that has no rewrite.`);
  }
}

/** `export * from "./generated"`: what uses it elsewhere is migrated, the export stays. */
function reportReexports(
  file: ts.SourceFile,
  isGenerated: (file: ts.SourceFile) => boolean,
  { checker, report }: CodeRecorder,
): void {
  for (const node of file.statements.filter(ts.isExportDeclaration)) {
    const module = node.moduleSpecifier && checker.getSymbolAtLocation(node.moduleSpecifier);
    const source = module?.valueDeclaration?.getSourceFile();
    if (source !== undefined && isGenerated(source))
      report("notUnderstood", node, "The file exports what another tool has generated.");
  }
}

function isGeneratedByHeyApi({ text }: ts.SourceFile): boolean {
  return text.slice(0, 200).includes("auto-generated by @hey-api/openapi-ts");
}

/** The folder that has the one which hey-api generates: files of its client are in a folder below that. */
function findFolder(recorder: CodeRecorder): string | undefined {
  for (const file of recorder.files) {
    if (isGeneratedByHeyApi(file)) continue;
    const [found] = findGeneratedImports(file, isGeneratedByHeyApi, recorder.checker);
    if (found === undefined) continue;
    const folder = path.posix.dirname(found.declaration.getSourceFile().fileName);
    const parent = path.posix.dirname(folder);
    return path.posix.dirname(ts.sys.fileExists(path.posix.join(parent, "client.gen.ts")) ? parent : folder);
  }
  return undefined;
}
