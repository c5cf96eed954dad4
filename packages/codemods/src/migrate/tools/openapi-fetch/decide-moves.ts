import path from "node:path";
import { isExportedVariable, nameOfTwin, statementOf, type ClientMove, type OldClient } from "../client/old-clients.js";
import type { CodeRecorder } from "../code-recorder.js";
import { isUsedOutside } from "../outside-files.js";
import { isHolder, type FetchCall, type FetchCode, type PassedClient } from "./fetch-code.js";

/** What becomes of the clients of a program. */
export interface Moves {
  readonly moveOf: (client: OldClient) => ClientMove;
  /** Whether the clients that code passes on become new ones. They do together, or stay together. */
  readonly isPassedMoved: boolean;
  /** Why a client stays. Undefined if it does not. */
  readonly reasonToStay: (client: OldClient) => string | undefined;
}

/** Decides which clients move. One stays beside the new one as long as anything uses it. */
export function decideMoves(code: FetchCode, recorder: CodeRecorder): Moves {
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
        each.variable !== undefined || isHolder(each.creation.parent, each.creation.getSourceFile()) || canMove(each),
    );
  const isLeft = ({ kind }: PassedClient): boolean => kind !== "passed" || !isPassedMoved;
  return {
    isPassedMoved,
    reasonToStay: (client) => reasons.get(client),
    moveOf(client) {
      const { variable } = client;
      if (!canMove(client)) return "stays";
      if (variable === undefined) return isPassedMoved ? "replaced" : "stays";
      const passed = code.passed.filter((each) => each.client === client);
      const calls = code.calls.filter((each) => each.client === client);
      const isVisible = isOutside && isExportedVariable(variable, recorder.checker);
      const isUsed = isVisible || passed.some(isLeft) || !calls.every(isPlanned);
      if (!isUsed) return "replaced";
      return isVisible || calls.some(isPlanned) || !passed.every(isLeft) ? "beside" : "stays";
    },
  };
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
