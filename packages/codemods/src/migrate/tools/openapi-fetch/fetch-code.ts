import { ts } from "ts-morph";
import { importedNames } from "../../../handlers/syntax/imports.js";
import { notUnderstood, type Obstacle } from "../client/decisions.js";
import type { ClientSecurity } from "../client/generated-client.js";
import { isInside, variableNamedBy, type OldClient } from "../client/old-clients.js";
import type { TextOf } from "../nested-edits.js";
import type { RecordEdits } from "../results/migrated-call.js";
import { planFetchCall } from "./calls.js";
import { findFetchClients } from "./client-setup.js";
import type { FetchMigration } from "./fetch-migration.js";
import { findQueryClients, planWrittenKey, type QueryCall, type QueryClientCode } from "./queries.js";

/** A call of a method of a client, and what becomes of it. */
export interface FetchCall {
  readonly call: ts.CallExpression;
  /** The client that it names. Undefined: it has one that other code passes on. */
  readonly client: OldClient | undefined;
  readonly plan: RecordEdits | Obstacle;
}

/** A mention of a client that is neither a call nor a part of its set-up. */
export interface PassedClient {
  readonly node: ts.Identifier;
  readonly client: OldClient;
  /** `held`: code that stays needs it as it is. `changed`: code adds middleware in another place. */
  readonly kind: "passed" | "held" | "changed";
}

/** Code that uses openapi-fetch. */
export interface FetchCode {
  readonly clients: readonly OldClient[];
  readonly calls: readonly FetchCall[];
  readonly passed: readonly PassedClient[];
  /** Types of clients, such as `Client<paths>`. */
  readonly types: readonly ts.TypeReferenceNode[];
  /** What reads clients that are passed on in a way that has no rewrite. */
  readonly obstacles: readonly { readonly node: ts.Node; readonly message: string }[];
  readonly queryClients: readonly QueryClientCode[];
  /** Keys of the cache of TanStack Query that code writes itself. */
  readonly writtenKeys: readonly QueryCall[];
}

/** Reads the code of all files. It records nothing. */
export function readFetchCode(migration: FetchMigration, security: ClientSecurity): FetchCode {
  const { recorder } = migration;
  const clients = recorder.allFiles
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && !fileName.includes("/node_modules/"))
    .flatMap((file) => findFetchClients(file, { recorder, security }));
  const byVariable = new Map(clients.flatMap((each) => (each.variable ? [[each.variable, each]] : [])));
  const queryClients = findQueryClients(byVariable, migration);
  const code = { clients, calls: [], passed: [], types: [], obstacles: [], queryClients, writtenKeys: [] };
  for (const file of recorder.files) if (!isTypesFile(file)) readFile(file, { migration, byVariable, clients, code });
  return code;
}

/** A file that openapi-typescript has generated. */
export function isTypesFile({ statements }: ts.SourceFile): boolean {
  const names = new Set(statements.flatMap((each) => ("name" in each ? [(each.name as ts.Identifier).text] : [])));
  return names.has("paths") && names.has("components");
}

interface FileReading {
  readonly migration: FetchMigration;
  readonly clients: readonly OldClient[];
  readonly byVariable: ReadonlyMap<ts.VariableDeclaration, OldClient>;
  readonly code: {
    readonly calls: FetchCall[];
    readonly passed: PassedClient[];
    readonly types: ts.TypeReferenceNode[];
    readonly obstacles: { readonly node: ts.Node; readonly message: string }[];
    readonly queryClients: readonly QueryClientCode[];
    readonly writtenKeys: QueryCall[];
  };
}

function readFile(file: ts.SourceFile, reading: FileReading): void {
  const names = namesOfClients(file, reading);
  const clientTypes = clientTypeNames(file);
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) readMember(node, reading);
    if (ts.isIdentifier(node) && names.has(node.text)) readMention(node, reading);
    if (ts.isTypeReferenceNode(node) && isClientType(node, clientTypes)) readType(node, reading);
    if (ts.isArrayLiteralExpression(node)) readKey(node, reading);
    ts.forEachChild(node, visit);
  };
  visit(file);
}

const methods = /^(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE|request)$/;
const mentionsMethod = /\.(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE|request|use|eject)\b/;

/** The names by which a file may mention clients. */
function namesOfClients(file: ts.SourceFile, { byVariable, migration }: FileReading): ReadonlySet<string> {
  const declared = [...byVariable.keys()].map(({ name }) => name.getText());
  const imported = importedNames(file).flatMap(({ node, local }) => {
    const name = ts.isImportSpecifier(node) || ts.isNamespaceImport(node) ? node.name : node;
    const variable = variableNamedBy(name, migration.recorder.checker);
    return variable !== undefined && byVariable.has(variable) ? [local] : [];
  });
  return new Set([...declared, ...imported]);
}

function readKey(node: ts.ArrayLiteralExpression, { code, migration }: FileReading): void {
  const [queryClient, ...others] = code.queryClients;
  if (queryClient === undefined) return;
  const key = planWrittenKey(node, others.length > 0 ? undefined : queryClient.client, migration);
  if (key !== undefined) code.writtenKeys.push(key);
}

/** `client.GET`, and other members of clients. */
function readMember(node: ts.PropertyAccessExpression, { migration, byVariable, clients, code }: FileReading): void {
  const { recorder } = migration;
  const { text } = node.name;
  if (!mentionsMethod.test(`.${text}`) || !isFetchClient(node.expression, recorder.checker)) return;
  const variable = variableNamedBy(node.expression, recorder.checker);
  const client = variable && byVariable.get(variable);
  const { parent } = node;
  if (methods.test(text) && ts.isCallExpression(parent) && parent.expression === node) {
    const isInSetUp = clients.some(({ setUp }) => setUp.some((each) => isInside(node, each)));
    const clientText = (textOf: TextOf): string =>
      client === undefined ? textOf(node.expression) : migration.newClients.textAt(client, node.expression, textOf);
    const plan = isInSetUp ? notUnderstood("The call is in middleware.") : planFetchCall(parent, clientText, migration);
    code.calls.push({ call: parent, client, plan });
  } else if (client === undefined) code.obstacles.push({ node, message: `\`${text}\` of a client has no rewrite.` });
}

/** A mention of a client by its name. */
function readMention(node: ts.Identifier, { migration, byVariable, code }: FileReading): void {
  const { parent } = node;
  const isDeclared = ts.isVariableDeclaration(parent) && parent.name === node;
  if (isDeclared || ts.isImportClause(parent) || ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return;
  if (ts.isExportAssignment(parent) || ts.isNamespaceImport(parent)) return;
  const variable = variableNamedBy(node, migration.recorder.checker);
  const client = variable && byVariable.get(variable);
  if (client === undefined) return;
  const expression = ts.isPropertyAccessExpression(parent) && parent.name === node ? parent : node;
  const around = expression.parent;
  const isMember = ts.isPropertyAccessExpression(around) && around.expression === expression;
  if (isMember && methods.test(around.name.text) && ts.isCallExpression(around.parent)) return;
  if (client.setUp.some((each) => isInside(node, each))) return;
  const isPattern = ts.isVariableDeclaration(around) && !ts.isIdentifier(around.name);
  const isHere = node.getSourceFile() === client.creation.getSourceFile();
  const isUse = isMember && around.name.text === "use";
  // Middleware in the file of the client is read with it.
  if (isUse && isHere) return;
  const isChanged = isUse || (isMember && around.name.text === "eject");
  const isHeld = isMember || isPattern || ts.isQualifiedName(around) || isHolder(around, node.getSourceFile());
  code.passed.push({ node, client, kind: isChanged ? "changed" : isHeld ? "held" : "passed" });
}

/** Libraries that use a client of openapi-fetch. */
export const libraries: RegExp = /^openapi-(react-query|swr|msw)$|^swr-openapi$/;

/** Whether a call gives a client to another library. */
export function isHolder(node: ts.Node, file: ts.SourceFile): boolean {
  if (!ts.isCallExpression(node)) return false;
  const callee = node.expression.getText();
  return importedNames(file).some(({ module, local }) => local === callee && libraries.test(module));
}

function clientTypeNames(file: ts.SourceFile): ReadonlySet<string> {
  const imports = importedNames(file).filter(({ module }) => module === "openapi-fetch");
  return new Set(
    imports.flatMap(({ imported, local }) => (imported === "Client" || imported === "default" ? [local] : [])),
  );
}

/** `Client<paths>` and `ReturnType<typeof createClient<paths>>` */
function isClientType({ typeName, typeArguments }: ts.TypeReferenceNode, names: ReadonlySet<string>): boolean {
  const [of] = typeArguments ?? [];
  const isReturned = typeName.getText() === "ReturnType" && of !== undefined && ts.isTypeQueryNode(of);
  return names.has(isReturned ? of.exprName.getText() : typeName.getText());
}

function readType(node: ts.TypeReferenceNode, { code }: FileReading): void {
  const { parent } = node;
  const isWhole =
    !ts.isIndexedAccessTypeNode(parent) && !ts.isTypeReferenceNode(parent) && !ts.isCallExpression(parent);
  if (isWhole) code.types.push(node);
  else code.obstacles.push({ node, message: "A part of the type of clients has no rewrite." });
}

/** Whether an expression is a client of openapi-fetch, by its type. */
export function isFetchClient(node: ts.Expression, checker: ts.TypeChecker): boolean {
  const type = checker.getTypeAtLocation(node);
  const declarations = [type.aliasSymbol, type.symbol].flatMap((each) => each?.declarations ?? []);
  return declarations.some((each) => each.getSourceFile().fileName.includes("/openapi-fetch/"));
}
