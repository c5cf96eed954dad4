import { ts } from "ts-morph";
import { importedNames } from "../../../handlers/syntax/imports.js";
import { findReferences } from "../../../handlers/syntax/references.js";
import { clientSecurity, describeGeneratedClient, type GeneratedClient } from "../client/generated-client.js";
import { createNewClients, isInside, statementOf, type OldClient } from "../client/old-clients.js";
import type { CodeRecorder, ToolMigrator } from "../code-recorder.js";
import { findQueryModule } from "../queries/query-module.js";
import { createResultNames } from "../results/result-names.js";
import { decideFetchMoves, type Moves } from "./decide-moves.js";
import { isTypesFile, readFetchCode, type FetchCall, type FetchCode } from "./fetch-code.js";
import type { FetchMigration } from "./fetch-migration.js";
import type { QueryCall } from "./queries.js";
import { migratePathTypes } from "./types.js";

/** Records the edits of code that uses openapi-fetch, with types in the form of openapi-typescript. */
export const migrateOpenapiFetch: ToolMigrator = ({ api, target }, recorder) => {
  const client = describeGeneratedClient(api);
  const newClients = createNewClients(recorder);
  const migration: FetchMigration = {
    recorder,
    client,
    names: createResultNames(),
    newClients,
    queries: findQueryModule(target, recorder),
  };
  const code = readFetchCode(migration, clientSecurity(api));
  const moves = decideFetchMoves(code, recorder);
  for (const each of code.calls) recordCall(each, moves, recorder);
  recordQueries(code, moves, recorder);
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
    newClients.record(each, moves.moveOf(each), {
      creator: isFree ? each.creator.local : undefined,
      isShared: isShared(each, code, moves),
    });
    const file = each.creation.getSourceFile();
    if (!recorder.files.includes(file)) continue;
    for (const { node, message } of each.options.undecided) recorder.report("toDecide", node, message);
  }
}

/** Records the edits of openapi-react-query, and removes what it has created once nothing uses that. */
function recordQueries({ queryClients, writtenKeys }: FetchCode, moves: Moves, recorder: CodeRecorder): void {
  for (const { calls, client } of queryClients)
    for (const each of calls) recordQuery(each, { client, moves, recorder });
  for (const each of writtenKeys) recordQuery(each, { client: undefined, moves, recorder });
  for (const { variable, creation } of queryClients.filter(moves.isUnused)) {
    const statement = statementOf(variable);
    if (statement !== undefined) recorder.removeStatement(statement);
    const gone = new Set([variable.name.getText(), ...creation.arguments.map((each) => each.getText())]);
    for (const name of recorder.files.flatMap(importedNames))
      if (name.module === "openapi-react-query" || gone.has(name.local)) recorder.releaseImport(name);
  }
}

function recordQuery(
  query: QueryCall,
  {
    client,
    moves,
    recorder,
  }: { readonly client: OldClient | undefined; readonly moves: Moves; readonly recorder: CodeRecorder },
): void {
  const { call, plan, cached } = query;
  if (typeof plan !== "function") return recorder.report(plan.list, call, plan.message);
  const reason = client && moves.reasonToStay(client);
  if (reason !== undefined) recorder.report("notUnderstood", call, `The call stays with its client. ${reason}`);
  else if (moves.isQueryMoved(query, client)) plan();
  else
    recorder.report(
      "notUnderstood",
      call,
      `The call stays, since other code uses the cached data of \`${cached?.name}\`.`,
    );
}

/** Whether a query in another file needs the new client. */
function isShared(client: OldClient, { queryClients, writtenKeys }: FetchCode, { isQueryMoved }: Moves): boolean {
  const home = client.creation.getSourceFile();
  return queryClients
    .filter((each) => each.client === client)
    .flatMap(({ calls }) => [...calls, ...writtenKeys])
    .some((each) => isQueryMoved(each, client) && each.call.getSourceFile() !== home);
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
/** What a person does about a library that stays with its types. */
const advice: Readonly<Record<string, string>> = {
  "openapi-msw":
    "openapi-msw stays: its handlers return what the test says. Import `paths` from the artifact `types`, or use `mswHandlers` of the generated mock.",
  "openapi-swr": "openapi-swr stays. `useSWR(...swr(listQuery(client)))` takes the place of its hooks.",
  "swr-openapi": "swr-openapi stays. `useSWR(...swr(listQuery(client)))` takes the place of its hooks.",
};

/** Lists what has no rewrite: other names, and libraries that use a client or its types. */
function reportOthers(file: ts.SourceFile, { report }: CodeRecorder): void {
  for (const { module, imported, node } of importedNames(file)) {
    if (Object.hasOwn(advice, module)) report("toDecide", node, advice[module] ?? "");
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
