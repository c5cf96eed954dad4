import path from "node:path";
import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import {
  isExportedVariable,
  isInside,
  nameOfTwin,
  statementOf,
  type ClientMove,
  type OldClient,
} from "../client/old-clients.js";
import { isUsedOutside } from "../outside-files.js";
import { readQueryFunction } from "./queries.js";
import { hasNewSetUp, mentionsOfClient, type GeneratedCall, type HeyCode, type HeyMigration } from "./sdk-code.js";

/** What becomes of the clients of a program. */
export interface HeyMoves {
  /** Whether a call is migrated. */
  readonly isMoved: (call: GeneratedCall) => boolean;
  /** Why a client stays; undefined stands for the one of all calls. Returns undefined if it does not. */
  readonly reasonToStay: (client: OldClient | undefined) => string | undefined;
  readonly moveOf: (client: OldClient) => ClientMove;
  /** What becomes of the client of all calls. */
  readonly move: ClientMove;
}

/** What the migration of a call replaces: its function, and its option `client`. */
export function replacedNodes({ expression, arguments: [options] }: ts.CallExpression): readonly ts.Node[] {
  const properties = options !== undefined && ts.isObjectLiteralExpression(options) ? options.properties : [];
  return [expression, ...properties.filter(({ name }) => name?.getText() === "client")];
}

/** Decides which clients move. One stays beside the new one as long as anything uses it. */
export function decideHeyMoves(code: HeyCode, migration: HeyMigration): HeyMoves {
  const { recorder } = migration;
  const isOutside = isUsedOutside(recorder);
  const reasons = new Map<OldClient | undefined, string | undefined>([
    [undefined, reasonOfAllCalls(code, migration)],
    ...code.clients.map((each) => [each, reasonOf(each, migration)] as const),
  ]);
  const canMove = ({ plan, client }: GeneratedCall): boolean =>
    typeof plan === "function" && reasons.get(client) === undefined;
  const kept = keptInCache(code, canMove, migration);
  const isMoved = (call: GeneratedCall): boolean =>
    canMove(call) && (call.cached === undefined || !kept.has(call.cached));
  const moved = code.calls.filter(isMoved).flatMap(({ call }) => replacedNodes(call));
  const isLeft = (node: ts.Node): boolean => !moved.some((each) => isInside(node, each));
  return {
    isMoved,
    reasonToStay: (client) => reasons.get(client),
    moveOf(client) {
      const { variable } = client;
      if (reasons.get(client) !== undefined || variable === undefined) return "stays";
      const isVisible = isOutside && isExportedVariable(variable, recorder.checker);
      if (!isVisible && !mentionsOfClient(client, migration).some(isLeft)) return "replaced";
      return isVisible || code.calls.some((each) => each.client === client && isMoved(each)) ? "beside" : "stays";
    },
    move: moveOfAllCalls(code, { reason: reasons.get(undefined), isLeft: isOutside || isUsed(code, moved) }),
  };
}

/** The operations whose data in the cache of TanStack Query have their old keys, since code that stays uses them. */
function keptInCache(
  { calls, files }: HeyCode,
  canMove: (call: GeneratedCall) => boolean,
  { recorder, client }: HeyMigration,
): ReadonlySet<Operation> {
  const kept = new Set(calls.flatMap((each) => (each.cached === undefined || canMove(each) ? [] : [each.cached])));
  for (const { imports } of files)
    for (const { declaration, references } of imports) {
      const query = readQueryFunction(declaration, client, recorder.checker);
      const isCalled = (node: ts.Identifier): boolean =>
        ts.isCallExpression(node.parent) && node.parent.expression === node;
      if (query !== undefined && query.kind !== "Mutation" && !references.every(isCalled)) kept.add(query.operation);
    }
  const texts = [
    ...recorder.outsideFiles.map(({ text }) => text),
    ...files.map(({ file }) => file.text).filter((each) => /\b_id\b/.test(each)),
  ];
  for (const { cached } of calls)
    if (cached !== undefined && texts.some((each) => mentionsQuery(each, cached))) kept.add(cached);
  return kept;
}

/** Whether a text names a query of an operation: `listPetsOptions`, `listPetsQueryKey`, or `{ _id: "listPets" }`. */
function mentionsQuery(text: string, { name }: Operation): boolean {
  return new RegExp(String.raw`\b${name}((Infinite)?(Options|QueryKey)\b|["'\x60])`, "i").test(text);
}

function moveOfAllCalls(
  { setUp }: HeyCode,
  { reason, isLeft }: { readonly reason: string | undefined; readonly isLeft: boolean },
): ClientMove {
  if (reason !== undefined || setUp.length === 0) return "stays";
  return isLeft ? "beside" : "replaced";
}

/** Whether code that stays uses generated functions, or the client of all calls. */
function isUsed({ files, setUp, clients }: HeyCode, moved: readonly ts.Node[]): boolean {
  const known = [...moved, ...setUp.map(({ call }) => call.expression), ...clients.map(({ creation }) => creation)];
  return files.some(({ imports }) =>
    imports.some(
      ({ declaration, references }) =>
        isValue(declaration) &&
        references.some((node) => !isInType(node) && !known.some((each) => isInside(node, each))),
    ),
  );
}

function isValue(declaration: ts.Declaration): boolean {
  return (
    !ts.isTypeAliasDeclaration(declaration) &&
    !ts.isInterfaceDeclaration(declaration) &&
    !ts.isEnumDeclaration(declaration)
  );
}

function isInType({ parent }: ts.Identifier): boolean {
  return ts.isTypeReferenceNode(parent);
}

function reasonOf(client: OldClient, migration: HeyMigration): string | undefined {
  const { creation, variable, options } = client;
  const { recorder } = migration;
  const file = creation.getSourceFile();
  if (variable !== undefined && nameOfTwin(variable, recorder) !== undefined) return undefined;
  if (!recorder.files.includes(file))
    return `The client is created in ${path.basename(file.fileName)}, which \`--code\` leaves out.`;
  if (variable === undefined || statementOf(variable) === undefined) return "The client has no statement of its own.";
  return options.undecided[0]?.message;
}

function reasonOfAllCalls({ setUp }: HeyCode, migration: HeyMigration): string | undefined {
  const { recorder, isGenerated } = migration;
  const undecided = setUp.filter((each) => !hasNewSetUp(each, migration)).flatMap((each) => each.undecided);
  if (undecided[0] !== undefined) return undecided[0].message;
  if (
    recorder.outsideFiles.some(
      ({ text }) => /\.setConfig\(|\.interceptors\./.test(text) && !text.includes("configureClient("),
    )
  )
    return "A file that `--code` leaves out sets up the client.";
  const isConfigured = recorder.allFiles.some(
    (file) => isGenerated(file) && /createClient\(\s*createClientConfig/.test(file.text),
  );
  return isConfigured ? "`createClientConfig` sets up the client, which has no rewrite." : undefined;
}
