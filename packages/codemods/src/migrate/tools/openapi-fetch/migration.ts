import { ts } from "ts-morph";
import { importedNames } from "../../../handlers/syntax/imports.js";
import { findReferences } from "../../../handlers/syntax/references.js";
import { describeGeneratedClient, takesToken, type GeneratedClient } from "../client/generated-client.js";
import { createNewClients, isInside, type OldClient } from "../client/old-clients.js";
import type { CodeRecorder, ToolMigrator } from "../code-recorder.js";
import { createResultNames } from "../results/result-names.js";
import { decideMoves, type Moves } from "./decide-moves.js";
import {
  isTypesFile,
  libraries,
  readFetchCode,
  type FetchCall,
  type FetchCode,
  type FetchMigration,
} from "./fetch-code.js";
import { migratePathTypes } from "./types.js";

/** Records the edits of code that uses openapi-fetch, with types in the form of openapi-typescript. */
export const migrateOpenapiFetch: ToolMigrator = ({ api }, recorder) => {
  const client = describeGeneratedClient(api);
  const newClients = createNewClients(recorder);
  const migration: FetchMigration = { recorder, client, names: createResultNames(), newClients };
  const code = readFetchCode(migration, takesToken(api));
  const moves = decideMoves(code, recorder);
  for (const each of code.calls) recordCall(each, moves, recorder);
  recordClients(code, moves, migration);
  recordPassed(code, moves, migration);
  for (const file of recorder.files) if (!isTypesFile(file)) recordFile(file, client, recorder);
};

function recordCall({ call, client, plan }: FetchCall, moves: Moves, recorder: CodeRecorder): void {
  if (typeof plan !== "function") return recorder.report(plan.list, call, plan.message);
  const reason = client === undefined ? undefined : moves.reasonToStay(client);
  if (reason !== undefined) recorder.report("notUnderstood", call, `The call stays with its client. ${reason}`);
  else if (client === undefined && !moves.isPassedMoved)
    recorder.report(
      "notUnderstood",
      call,
      "The call stays, since other code uses clients that are passed on in another way.",
    );
  else plan();
}

function recordClients(code: FetchCode, moves: Moves, { recorder, newClients }: FetchMigration): void {
  for (const each of code.clients) {
    const isFree = isCreatorFree(each, code, moves);
    if (isFree) recorder.removeImport(each.creator);
    newClients.record(each, moves.moveOf(each), isFree ? each.creator.local : undefined);
    const file = each.creation.getSourceFile();
    if (!recorder.files.includes(file)) continue;
    for (const { node, message } of each.options.undecided) recorder.report("toDecide", node, message);
  }
}

/** Whether nothing in the file of a client creates clients of openapi-fetch any longer. */
function isCreatorFree({ creator }: OldClient, { clients, types }: FetchCode, moves: Moves): boolean {
  const replaced = clients
    .filter((each) => moves.moveOf(each) === "replaced")
    .map(({ creation }) => creation.expression);
  const gone = [creator.declaration, ...replaced, ...(moves.isPassedMoved ? types : [])];
  const references = findReferences(creator.declaration.getSourceFile()).get(creator.local) ?? [];
  return references.every((node) => gone.some((each) => isInside(node, each)));
}

/** Clients that are passed on become new ones, with the types of parameters. */
function recordPassed(
  { passed, types, obstacles }: FetchCode,
  { isPassedMoved, moveOf, reasonToStay }: Moves,
  { recorder, newClients }: FetchMigration,
): void {
  for (const { node, message } of obstacles) recorder.report("notUnderstood", node, message);
  for (const { node, client, kind } of passed) {
    if (kind === "changed") recorder.report("toDecide", node, reasonToStay(client) ?? "");
    if (kind !== "passed" || !isPassedMoved || moveOf(client) === "stays") continue;
    const prefix = ts.isShorthandPropertyAssignment(node.parent) ? `${node.text}: ` : "";
    recorder.replace(node, () => {
      const name = newClients.textAt(client, node, () => node.text);
      return name === node.text ? name : prefix + name;
    });
  }
  for (const each of isPassedMoved ? types : []) replaceClientType(each, recorder);
}

/** `Client<paths>` is `Client` of the generated package, under the name of the old one if there is one. */
function replaceClientType(node: ts.TypeReferenceNode, recorder: CodeRecorder): void {
  const file = node.getSourceFile();
  const old = importedNames(file).find(({ module, imported }) => module === "openapi-fetch" && imported === "Client");
  if (old !== undefined) recorder.removeImport(old);
  recorder.replace(node, () =>
    recorder.importName(file, { imported: "Client", isType: true, ...(old !== undefined && { local: old.local }) }),
  );
}

/** Records the edits of types, and lists what has no rewrite. */
function recordFile(file: ts.SourceFile, client: GeneratedClient, recorder: CodeRecorder): void {
  for (const each of importedNames(file)) {
    const isType = each.isType && ["components", "paths", "operations"].includes(each.imported);
    if (isType || each.module === "openapi-fetch") recorder.releaseImport(each);
  }
  const visit = (node: ts.Node): void => {
    if (ts.isIndexedAccessTypeNode(node) && migratePathTypes(node, client, recorder)) return;
    if (ts.isTypeReferenceNode(node)) reportPathType(node, recorder);
    ts.forEachChild(node, visit);
  };
  visit(file);
  reportOthers(file, recorder);
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
