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
import type { CodeRecorder } from "../code-recorder.js";
import { isUsedOutside } from "../outside-files.js";
import { isHolder, type FetchCall, type FetchCode, type PassedClient } from "./fetch-code.js";
import type { QueryCall, QueryClientCode } from "./queries.js";

/** What becomes of the clients of a program. */
export interface Moves {
  readonly moveOf: (client: OldClient) => ClientMove;
  /** Whether the clients that code passes on become new ones. They do together, or stay together. */
  readonly isPassedMoved: boolean;
  /** Whether a query or a mutation becomes one of the generated package. */
  readonly isQueryMoved: (call: QueryCall, client: OldClient | undefined) => boolean;
  /** Whether nothing uses what openapi-react-query has created for a client. */
  readonly isUnused: (queryClient: QueryClientCode) => boolean;
  /** Why a client stays. Undefined if it does not. */
  readonly reasonToStay: (client: OldClient) => string | undefined;
}

/** Decides which clients move. One stays beside the new one as long as anything uses it. */
export function decideFetchMoves(code: FetchCode, recorder: CodeRecorder): Moves {
  const isOutside = isUsedOutside(recorder);
  const reasons = new Map(code.clients.map((each) => [each, reasonToStay(each, code, recorder)] as const));
  const canMove = (client: OldClient): boolean => reasons.get(client) === undefined;
  const isPassedMoved =
    !isOutside &&
    code.obstacles.length === 0 &&
    code.calls.every((each) => each.client !== undefined || isPlanned(each)) &&
    code.passed.every(({ client, kind }) => kind !== "passed" || canMove(client)) &&
    code.clients.every(
      (each) =>
        each.variable !== undefined ||
        ts.isVariableDeclaration(each.creation.parent) ||
        isHolder(each.creation.parent, each.creation.getSourceFile()) ||
        canMove(each),
    );
  const kept = keptInCache(code, canMove, recorder);
  const isQueryMoved = ({ plan, cached }: QueryCall, client: OldClient | undefined): boolean =>
    typeof plan === "function" &&
    (client === undefined || canMove(client)) &&
    (cached === undefined || !kept.has(cached));
  const isUnused = ({ calls, client, isHeld, variable }: QueryClientCode): boolean =>
    !isHeld &&
    recorder.files.includes(variable.getSourceFile()) &&
    !(isOutside && isExportedVariable(variable, recorder.checker)) &&
    calls.every((each) => isQueryMoved(each, client));
  const unused = code.queryClients.filter(isUnused);
  const isLeft = ({ kind, node }: PassedClient): boolean =>
    (kind !== "passed" || !isPassedMoved) && !unused.some(({ creation }) => isInside(node, creation));
  return {
    isPassedMoved,
    isQueryMoved,
    isUnused,
    reasonToStay: (client) => reasons.get(client),
    moveOf(client) {
      const { variable } = client;
      if (!canMove(client)) return "stays";
      if (variable === undefined) return isPassedMoved ? "replaced" : "stays";
      const passed = code.passed.filter((each) => each.client === client);
      const calls = code.calls.filter((each) => each.client === client);
      const queries = code.queryClients.filter((each) => each.client === client).flatMap((each) => each.calls);
      const isNeeded = calls.some(isPlanned) || queries.some((each) => isQueryMoved(each, client));
      const isVisible = isOutside && isExportedVariable(variable, recorder.checker);
      const isUsed = isVisible || passed.some(isLeft) || !calls.every(isPlanned);
      if (!isUsed) return "replaced";
      return isVisible || isNeeded || !passed.every(isLeft) ? "beside" : "stays";
    },
  };
}

/** The operations whose data in the cache of TanStack Query have their old keys, since code that stays uses them. */
function keptInCache(
  { queryClients, writtenKeys }: FetchCode,
  canMove: (client: OldClient) => boolean,
  { outsideFiles }: CodeRecorder,
): ReadonlySet<Operation> {
  const calls = [
    ...queryClients.flatMap((each) => each.calls.map((call) => ({ ...call, isKept: !canMove(each.client) }))),
    ...writtenKeys.map((each) => ({ ...each, isKept: false })),
  ];
  return new Set(
    calls.flatMap(({ cached, plan, isKept }) => {
      if (cached === undefined) return [];
      const isOutside = outsideFiles.some(({ text }) => text.includes(JSON.stringify(cached.path)));
      return isKept || isOutside || typeof plan !== "function" ? [cached] : [];
    }),
  );
}

/** Whether the edits of a call are known. */
export function isPlanned({ plan }: FetchCall): boolean {
  return typeof plan === "function";
}

function reasonToStay(client: OldClient, code: FetchCode, recorder: CodeRecorder): string | undefined {
  const { creation, variable, options } = client;
  const file = creation.getSourceFile();
  const isChanged = code.passed.some((each) => each.client === client && each.kind === "changed");
  const changesOutside = recorder.outsideFiles.some(
    ({ text, imports }) => imports.includes(file.fileName) && /\.(use|eject)\(/.test(text),
  );
  if (isChanged || changesOutside)
    return "Another place adds middleware to the client. Add it where the client is created.";
  if (variable !== undefined && nameOfTwin(variable, recorder) !== undefined) return undefined;
  if (!recorder.files.includes(file))
    return `The client is created in ${path.basename(file.fileName)}, which \`--code\` leaves out.`;
  if (variable !== undefined && statementOf(variable) === undefined) return "The client has no statement of its own.";
  return options.undecided[0]?.message;
}
