import type { AssertionFailure, CaseResult, Difference, Exchange } from "../results.js";
import type { Suite } from "../suite.js";
import { formatDifference, formatDifferenceLocation } from "../values/format-difference.js";
import { pluralize } from "./format-text.js";

/**
 * `wrong-target`: the credential or the address of the run. `no-response`: the connection breaks. `not-implemented`: an operation that does not exist. `server-error`: a status of 500 or more.
 * `error-body`: errors of another form than described. `difference`: another difference of responses. `other`: all else.
 */
export type CauseKind =
  | "wrong-target"
  | "no-response"
  | "not-implemented"
  | "server-error"
  | "error-body"
  | "difference"
  | "other";

/** What may explain a failure of a case. Candidates with one key have one cause. */
export interface CauseCandidate {
  readonly kind: CauseKind;
  /** The most fundamental causes have the lowest level. */
  readonly level: number;
  readonly key: string;
  /** True for a difference that several operations have in common. */
  readonly isShared: boolean;
  readonly result: CaseResult;
  readonly failure: AssertionFailure;
  readonly operation: string;
  readonly advice: string;
  readonly titleOf: (candidates: readonly CauseCandidate[], operations: readonly string[]) => string;
}

export interface CandidateContext {
  readonly suite: Suite;
  /** The operations that are not implemented. */
  readonly missing: ReadonlySet<string>;
}

/** What may explain that a case did not pass: one or two candidates for each of its failures. */
export function causeCandidates(result: CaseResult, context: CandidateContext): readonly CauseCandidate[] {
  return decisiveFailures(result.failures).flatMap((failure) => candidatesOf({ result, failure, context }));
}

/** What a response with another status has in its body does not matter. */
function decisiveFailures(failures: readonly AssertionFailure[]): readonly AssertionFailure[] {
  const wrong = failures.filter(({ difference }) => difference?.part === "status" && difference.kind === "different");
  return failures.filter(
    (each) =>
      wrong.includes(each) || !wrong.some(({ exchange }) => exchange !== undefined && exchange === each.exchange),
  );
}

interface FailureInCase {
  readonly result: CaseResult;
  readonly failure: AssertionFailure;
  readonly context: CandidateContext;
}

function candidatesOf(failed: FailureInCase): readonly CauseCandidate[] {
  const { result, failure, context } = failed;
  const exchange = failure.exchange === undefined ? undefined : result.exchanges[failure.exchange];
  const operation = exchange?.operation ?? result.case.operation;
  const name = formatOperation(operation, context.suite);
  const { difference } = failure;
  const common = { result, failure, operation, isShared: false };
  if (difference === undefined) return [{ ...common, ...otherCause(failure, result) }];
  const about = { difference, operation, name, exchange };
  const explanation = explainOperation(failed, about);
  return explanation === undefined ? differenceCauses(failed, about) : [{ ...common, ...explanation }];
}

type Explanation = Pick<CauseCandidate, "kind" | "level" | "key" | "advice" | "titleOf">;

interface OperationDifference {
  readonly difference: Difference;
  readonly operation: string;
  /** The operation in titles. */
  readonly name: string;
  readonly exchange: Exchange | undefined;
}

/** What is wrong with an operation, or with all errors of the server, apart from what the difference is about. */
function explainOperation(
  { result, context: { suite, missing } }: FailureInCase,
  { difference, operation, name, exchange }: OperationDifference,
): Explanation | undefined {
  if (difference.part === "connection")
    return {
      kind: "no-response",
      level: 0,
      key: operation,
      advice: "See the log of the server: it closes the connection, or takes too long.",
      titleOf: () => `${name} has no response`,
    };
  if (missing.has(operation))
    return {
      kind: "not-implemented",
      level: 1,
      key: operation,
      advice: `All its responses are ${exchange?.status ?? 404}, also to requests that should succeed. Implement it. To leave out its cases, pass --skip ${operation}.`,
      titleOf: () => `${name} is not implemented`,
    };
  if (isUnprotected(difference, result))
    return {
      kind: "difference",
      level: 2,
      key: `unprotected ${operation}`,
      advice: "Check the credentials first: the operation looks for the object without them.",
      titleOf: () => `${name} responds without valid credentials with 404, expected ${difference.expected}`,
    };
  if (difference.part === "status" && Number(difference.received) >= 500)
    return {
      kind: "server-error",
      level: 2,
      key: `${operation} ${difference.received}`,
      advice: "See the log of the server for the first of these requests.",
      titleOf: () => `${name} responds with ${difference.received}`,
    };
  if ((exchange?.status ?? 0) < 400 || !isOfEveryError(difference)) return undefined;
  return {
    kind: "error-body",
    level: 3,
    key: signatureOf(difference),
    advice: hasErrorForm(suite)
      ? "Correct it in one place: the description has the form of all errors."
      : "Correct it in one place, if all errors of the server have one form.",
    titleOf: () => titleOfErrors(difference),
  };
}

/** A difference of this operation, which other operations may have in common. */
function differenceCauses(
  { result, failure, context: { suite } }: FailureInCase,
  { difference, operation, name, exchange }: OperationDifference,
): readonly CauseCandidate[] {
  const signature = signatureOf(difference);
  const common = { kind: "difference", level: 4, result, failure, operation } as const;
  const isStatus = difference.part === "status" || difference.part === "outcomes";
  const ofOperation: CauseCandidate = {
    ...common,
    key: `own ${operation} ${signature}`,
    isShared: false,
    advice: adviceOf(difference, { operation, suite, exchange }),
    titleOf: (candidates) => `${name}: ${commonMessage(candidates)}`,
  };
  if (difference.part === "value") return [ofOperation];
  return [
    ofOperation,
    {
      ...common,
      // Operations that accept what they should reject have a cause in common if the same kind of checks finds it.
      key: `shared ${isStatus ? `${result.case.kind} ` : ""}${signature}`,
      isShared: true,
      advice: "Several operations have it in common: look for one place to correct it.",
      titleOf: (candidates, operations) =>
        `${commonMessage(candidates)}, in ${pluralize(operations.length, "operation")}${isStatus ? ` (${result.case.kind})` : ""}`,
    },
  ];
}

interface FailedRequest extends Pick<OperationDifference, "operation" | "exchange"> {
  readonly suite: Suite;
}

/** A request that should succeed may need values that only the settings of the suite can have: an existing object, a password. */
function adviceOf({ part, expected, received }: Difference, { operation, suite, exchange }: FailedRequest): string {
  const info = suite.operations[operation];
  const isUnmet = part === "status" && /^(?:2|a success)/.test(expected) && /^4(?!05|29)/.test(received);
  const isCredential = (received === "401" || received === "403") && info?.public !== true;
  if (!isUnmet || isCredential || info === undefined) return "Compare the first of these cases with the description.";
  const hasBody = exchange?.requestBody !== undefined && exchange.requestBody !== "";
  const key = hasBody ? "body" : info.path.includes("{") ? "path" : "query";
  return `If a valid request needs values that are not in the description, write them in conformance.yaml: operations: {${operation}: {${key}: {…}}}. Otherwise compare the first of these cases with the description.`;
}

/** True for a request without valid credentials that gets the response of a missing object. */
function isUnprotected({ part, expected, received }: Difference, { case: { kind } }: CaseResult): boolean {
  return part === "status" && received === "404" && /^40[13]/.test(expected) && kind === "security";
}

/** True if the description has a body for errors. */
function hasErrorForm({ operations }: Suite): boolean {
  return Object.values(operations).some(({ responses }) =>
    Object.entries(responses).some(([status, { schema }]) => /^[45d]/.test(status) && schema !== undefined),
  );
}

function otherCause({ message }: AssertionFailure, { status }: CaseResult): Explanation {
  return {
    kind: "other",
    level: 5,
    key: message,
    advice: status === "error" ? "The setup of these cases failed: correct it first." : "See the first of these cases.",
    titleOf: () => message.replace(/\.$/, ""),
  };
}

/** `GET /books/{id}`; the name of an operation of the test controls. */
export function formatOperation(name: string, { operations, controls }: Suite): string {
  const isControl = name.startsWith("controls:");
  const info = isControl ? controls[name.slice("controls:".length)] : operations[name];
  if (info === undefined) return name;
  return `${info.method.toUpperCase()} ${info.path}${isControl ? " of the test controls" : ""}`;
}

/** True for a difference that does not depend on what the error is about. */
function isOfEveryError({ part, at, kind }: Difference): boolean {
  if (part === "media-type" || part === "header") return true;
  if (part !== "body") return false;
  return kind === "missing" || kind === "undocumented" || at === "" || at === "/errors";
}

function titleOfErrors(difference: Difference): string {
  const { part, kind, expected, received } = difference;
  const at = generalized(difference);
  const field = at === "" ? "" : formatDifferenceLocation({ part, at });
  if (part === "header")
    return kind === "missing" ? `Error responses have no ${field}` : `Error responses: ${formatDifference(difference)}`;
  if (part === "media-type") return `Error responses have the media type ${received}, expected ${expected}`;
  if (kind === "missing") return `Error bodies have no \`${field}\``;
  if (kind === "undocumented") return `Error bodies have \`${field}\`, which is not documented`;
  if (kind === "unexpected") return "Error responses have a body";
  return field === ""
    ? `Error bodies: ${received}, expected ${expected}`
    : `Error bodies have another \`${field}\` than described`;
}

/** The message of all candidates; if their values differ, the location. */
function commonMessage(candidates: readonly CauseCandidate[]): string {
  const [first] = candidates;
  const difference = first?.failure.difference;
  if (difference === undefined) return first?.failure.message ?? "";
  const messages = new Set(candidates.map(({ failure }) => failure.difference).map((each) => each && messageOf(each)));
  if (messages.size === 1) return messageOf(difference);
  const location = formatDifferenceLocation({ part: difference.part, at: generalized(difference) });
  const expected = new Set(candidates.map(({ failure }) => failure.difference?.expected));
  if (difference.kind !== "different") return messageOf(difference);
  return expected.size === 1 ? `${location}: expected ${difference.expected}` : `${location} differs`;
}

function messageOf(difference: Difference): string {
  return formatDifference({ ...difference, at: generalized(difference) });
}

/** Differences with one signature may have one cause. */
function signatureOf(difference: Difference): string {
  const { part, kind, expected, received } = difference;
  const at = generalized(difference);
  // `404 or 410` in one case and `404` in another have one cause.
  if (part === "status") return `status ${kind} ${expected.split(" ")[0] ?? ""} ${received}`;
  if (part === "media-type") return `media-type ${received}`;
  return `${part} ${at} ${kind}`;
}

/** The location with `*` for each index. */
function generalized({ part, at }: Difference): string {
  return part === "header" ? at : at.replaceAll(/\/\d+(?=\/|$)/g, "/*");
}
