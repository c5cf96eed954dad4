import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import type { ClientModule } from "../client/client-module.js";
import { notUnderstood, type Obstacle } from "../client/decisions.js";
import {
  calleeName,
  findGeneratedImports,
  resolveDeclaration,
  type GeneratedImport,
} from "../client/generated-imports.js";
import { nextStatement, variableNamedBy, type NewClients, type OldClient } from "../client/old-clients.js";
import type { TextOf } from "../nested-edits.js";
import { mentionsOf } from "../queries/hook-reads.js";
import type { QueryModule } from "../queries/query-module.js";
import type { RecordEdits, ResultMigration } from "../results/migrated-call.js";
import { operationOfSdk, planSdkCall, readCallOptions } from "./calls.js";
import { findHeyClients, readSetUpCall, setUpOf, type HeySetUpContext, type SetUpCall } from "./client-setup.js";
import { planQueryCall, readQueryFunction } from "./queries.js";

/** What a migration from hey-api shares. */
export interface HeyMigration extends ResultMigration, HeySetUpContext {
  readonly newClients: NewClients;
  /** The new client of all calls. */
  readonly module: ClientModule;
  readonly queries: QueryModule;
}

/** A call of what hey-api has generated, and what becomes of it. */
export interface GeneratedCall {
  readonly call: ts.CallExpression;
  /** The client that it names. Undefined: that of all calls. */
  readonly client: OldClient | undefined;
  readonly plan: RecordEdits | Obstacle;
  /** The operation whose data it names in the cache of TanStack Query: what shares them moves together. */
  readonly cached?: Operation | undefined;
}

/** A file that uses what hey-api has generated. */
export interface GeneratedUses {
  readonly file: ts.SourceFile;
  readonly imports: readonly GeneratedImport[];
}

/** Code that uses hey-api. */
export interface HeyCode {
  readonly files: readonly GeneratedUses[];
  /** The clients that code creates beside the one of all calls. */
  readonly clients: readonly OldClient[];
  readonly calls: readonly GeneratedCall[];
  /** What sets up the client of all calls. */
  readonly setUp: readonly SetUpCall[];
}

/** Prefers the name of the old function for the new one, once that is free. */
export type NameFunction = (operation: Operation, imported: GeneratedImport | undefined, file: ts.SourceFile) => string;

/** Reads the code of all files. It records nothing. */
export function readHeyCode(migration: HeyMigration, nameFunction: NameFunction): HeyCode {
  const { recorder, isGenerated } = migration;
  const clients = recorder.allFiles
    .filter((file) => !file.isDeclarationFile && !isGenerated(file) && !file.fileName.includes("/node_modules/"))
    .flatMap((file) => findHeyClients(file, migration));
  const calls: GeneratedCall[] = [];
  const setUp: SetUpCall[] = [];
  const files = recorder.files
    .filter((file) => !isGenerated(file))
    .map((file) => ({ file, imports: findGeneratedImports(file, isGenerated, recorder.checker) }));
  for (const { file, imports } of files) {
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isCallExpression(node)) return;
      const setUpCall = readSetUpCall(node, migration);
      if (setUpCall !== undefined) setUp.push(withOneHook(setUpCall, setUp));
      const name = calleeName(node);
      const declaration = name && resolveDeclaration(name, recorder.checker);
      if (declaration === undefined || !isGenerated(declaration.getSourceFile())) return;
      const imported = imports.find(({ references }) => references.some((each) => each === name));
      const isSdk = !declaration.getSourceFile().fileName.includes("/@tanstack/");
      const functionName = (operation: Operation): string =>
        nameFunction(operation, isSdk ? imported : undefined, file);
      const generated = planCall({ call: node, declaration, clients, functionName }, migration);
      if (generated !== undefined) calls.push(generated);
    };
    visit(file);
  }
  return { files, clients, calls, setUp };
}

/** The client of all calls can have one hook of each kind. */
function withOneHook(setUpCall: SetUpCall, others: readonly SetUpCall[]): SetUpCall {
  const { call, hook } = setUpCall;
  const isStatement = ts.isExpressionStatement(call.parent);
  if (isStatement && (hook === undefined || others.every((each) => each.hook !== hook))) return setUpCall;
  const message = isStatement
    ? `There is another \`${hook}\`. A client has one: decide what both become.`
    : "The code around the set-up of the client uses its result.";
  return { ...setUpCall, text: undefined, undecided: [{ node: call, message }] };
}

interface CallToPlan {
  readonly call: ts.CallExpression;
  readonly declaration: ts.Declaration;
  readonly clients: readonly OldClient[];
  readonly functionName: (operation: Operation) => string;
}

/** Reads a call of a generated function. Undefined for those of a client, which are no operations. */
function planCall(
  { call, declaration, clients, functionName }: CallToPlan,
  migration: HeyMigration,
): GeneratedCall | undefined {
  const query = readQueryFunction(declaration, migration.client, migration.recorder.checker);
  const operation = query?.operation ?? operationOfSdk(declaration, migration.client);
  const cached = query?.kind === "Mutation" ? undefined : query?.operation;
  const stays = (plan: Obstacle): GeneratedCall => ({ call, client: undefined, plan, cached });
  const unknown = readUnknown(call, declaration);
  if (unknown !== undefined) return stays(unknown);
  if (operation === undefined) return undefined;
  const options = readCallOptions(call.arguments, operation);
  if ("message" in options) return stays(options);
  const named = readClient(options.client, clients, migration);
  if (named !== undefined && "message" in named) return stays(named);
  const clientText = (textOf: TextOf): string =>
    named === undefined || options.client === undefined
      ? migration.module.client(call.getSourceFile())
      : migration.newClients.textAt(named, options.client, textOf);
  const parts = { call, declaration, operation, options, functionName: () => functionName(operation), clientText };
  const plan =
    query === undefined ? planSdkCall(parts, migration) : planQueryCall({ ...parts, kind: query.kind }, migration);
  return { call, client: named, plan, cached };
}

/** The client that a call names. Undefined: that of all calls. */
function readClient(
  given: ts.Expression | undefined,
  clients: readonly OldClient[],
  { recorder, isGenerated }: HeyMigration,
): OldClient | Obstacle | undefined {
  if (given === undefined) return undefined;
  const variable = variableNamedBy(given, recorder.checker);
  if (variable !== undefined && isGenerated(variable.getSourceFile())) return undefined;
  const client = clients.find((each) => each.variable !== undefined && each.variable === variable);
  return client ?? notUnderstood("The call has a client that other code passes on.");
}

/** Calls of what hey-api generates beside functions for operations. */
function readUnknown(call: ts.CallExpression, declaration: ts.Declaration): Obstacle | undefined {
  const isStatic = (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Static) !== 0;
  const isOfSdk =
    ts.isMethodDeclaration(declaration) && !isStatic && declaration.getSourceFile().fileName.endsWith("/sdk.gen.ts");
  const name = call.expression.getText();
  return isOfSdk
    ? notUnderstood(`\`${name}\` is a method of an object, which may have a client of its own.`)
    : undefined;
}

/** The new set-up that an earlier run has put behind an old one. */
export function hasNewSetUp({ call }: SetUpCall, { recorder, module }: HeyMigration): boolean {
  const next = ts.isExpressionStatement(call.parent) ? nextStatement(call.parent) : undefined;
  const made = next !== undefined && ts.isExpressionStatement(next) ? next.expression : undefined;
  if (made === undefined || !ts.isCallExpression(made)) return false;
  return module.isConfigure(resolveDeclaration(made.expression, recorder.checker));
}

/** The mentions of a client in all files, without its declaration, its import and its set-up. */
export function mentionsOfClient({ variable, setUp }: OldClient, { recorder }: HeyMigration): readonly ts.Identifier[] {
  const isSetUp = (node: ts.Identifier): boolean => {
    const call = setUpOf(node);
    return call !== undefined && setUp.some((each) => each === call.parent);
  };
  const all = variable === undefined ? [] : mentionsOf(variable, variable.name.getText(), recorder);
  return all.filter((each) => !isSetUp(each));
}
