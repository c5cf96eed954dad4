import { readFileSync } from "node:fs";
import { documents } from "@cloud-compute/description";
import { operationErrors, sharedErrorByStatus, sharedErrors } from "../../server/dist/gen/errors.js";
import type { RecordedResponse } from "./recorded-responses.support.js";

/** An operation, and the responses that the description documents for it. */
export interface DocumentedOperation {
  readonly name: string;
  readonly method: string;
  /** As the description spells it. */
  readonly path: string;
  readonly successes: readonly number[];
  /** The ids of its own errors, and of the shared errors whose status it lists. */
  readonly failures: readonly string[];
  readonly hasBody: boolean;
  readonly hasPages: boolean;
}

/** Every operation of the description, and the upload operation. */
export function documentedOperations(): DocumentedOperation[] {
  const { paths } = JSON.parse(readFileSync(documents.json, "utf8")) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, OperationNode>>>>;
  };
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ["get", "post", "put", "delete"].includes(method))
      .map(([method, node]) => operationOf({ method: method.toUpperCase(), path, node })),
  );
  return [...found, upload];
}

/** The operation behind the address in the response of `uploadImage`. The description has no path for it. */
const upload: DocumentedOperation = {
  name: "putImageData",
  method: "PUT",
  path: "/uploads/{ticket}",
  successes: [200],
  failures: ["image-too-large", "upload-closed", "invalid-request"],
  hasBody: true,
  hasPages: false,
};

/** Errors of requests that match no operation, or that any operation can respond with. */
export const general: readonly string[] = [
  "method-not-allowed",
  "request-timeout",
  "request-too-large",
  "unsupported-media-type",
  "server-error",
  "unavailable",
];

/** What the responses cover: `createTag 200`, `createTag no-such-object`, and `unavailable` for any operation. */
export function documentedIn(
  answers: readonly RecordedResponse[],
  operations: readonly DocumentedOperation[],
): ReadonlySet<string> {
  return new Set(
    answers.flatMap((answered) => {
      const operation = operationAt(answered, operations);
      const what = answered.status < 400 ? String(answered.status) : errorOf(answered, operation);
      if (what === undefined) return [];
      return [what, ...(operation === undefined ? [] : [`${operation.name} ${what}`])];
    }),
  );
}

/** Undocumented responses: `listTags not-found`, or `DELETE /tags/0 418` if the error is unknown. */
export function undocumentedIn(
  answers: readonly RecordedResponse[],
  operations: readonly DocumentedOperation[],
): string[] {
  const documented = new Set(documentedResponses(operations));
  const seen = [...documentedIn(answers, operations)].filter((each) => {
    const [, what] = each.split(" ");
    return what !== undefined && !general.includes(what) && !documented.has(each);
  });
  const unknown = answers.filter((each) => documentedIn([each], operations).size === 0);
  return [...seen, ...unknown.map(({ method, path, status }) => `${method} ${path} ${status}`)];
}

/** Everything that the responses have to cover. */
export function documentedResponses(operations: readonly DocumentedOperation[]): string[] {
  const own = operations.flatMap(({ name, successes, failures: ids }) =>
    [...successes, ...ids].map((each) => `${name} ${each}`),
  );
  return [...own, ...general];
}

function operationAt(
  { method, path }: RecordedResponse,
  operations: readonly DocumentedOperation[],
): DocumentedOperation | undefined {
  const fitting = operations.filter((each) => each.method === method && patternOf(each.path).test(path));
  // `/images/upload` does not match `/images/{imageId}`.
  return fitting.toSorted((a, b) => a.path.split("{").length - b.path.split("{").length)[0];
}

function patternOf(path: string): RegExp {
  const known = patterns.get(path);
  if (known !== undefined) return known;
  const written = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === "imageId" ? ".+" : "[^/]+"));
  const pattern = new RegExp(`^${written}/?$`);
  patterns.set(path, pattern);
  return pattern;
}

const patterns = new Map<string, RegExp>();

function errorOf(
  { status, errors, hadToken }: RecordedResponse,
  operation: DocumentedOperation | undefined,
): string | undefined {
  const { field, reason } = errors[0] ?? {};
  const said = field == null ? reason : `${field}: ${reason}`;
  const own = Object.entries((operation && operationErrors[operation.name]) ?? sharedErrors).filter(
    ([, failure]) => failure.status === status,
  );
  if (status === 401 && reason === sharedErrors["no-token"]?.reason) return hadToken ? "invalid-token" : "no-token";
  const reported = own.find(
    ([id, failure]) =>
      failure.reason === reason || (id === "not-filterable" && reason?.startsWith(failure.reason) === true),
  );
  // Validation errors of a request have many different reasons.
  return (
    reported?.[0] ??
    otherWords.find(([words]) => words.test(said ?? ""))?.[1] ??
    ([400, 413, 415].includes(status) ? sharedErrorByStatus[status] : undefined)
  );
}

/** Reasons that differ from those of the description: from the validator for what it counts, and from handlers. */
const otherWords: readonly (readonly [said: RegExp, id: string])[] = [
  [/^master_ips: must be at most 1000 characters together$/, "master-ips-too-long"],
  [/^axfr_ips: must be at most 1000 characters together$/, "axfr-ips-too-long"],
  [/^stackscript_data: must be at most 65535 characters as JSON$/, "stackscript-data-too-long"],
  [/^must be at most 65535 characters as JSON$/, "preferences-too-long"],
  [/^security_questions: must not have two items with the same question_id$/, "question-repeated"],
  [/^Insufficient space on the target: /, "insufficient-space"],
  [/disks: The disks are larger together than the disk of the instance type$/, "pool-disk-too-large"],
];

interface Reference {
  readonly $ref: string;
}

interface OperationNode {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly parameters?: readonly Reference[];
  readonly requestBody?: unknown;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

function operationOf(at: {
  readonly method: string;
  readonly path: string;
  readonly node: OperationNode;
}): DocumentedOperation {
  const { method, path, node } = at;
  const name = node.operationId;
  const statuses = Object.keys(node.responses).filter((status) => status !== "default");
  const own = Object.keys(operationErrors[name] ?? {}).filter((id) => !Object.hasOwn(sharedErrors, id));
  const isFiltered = node.parameters?.some(({ $ref }) => $ref.endsWith("/Filter")) === true;
  const wantsScopes = node.security?.some(({ bearer = [] }) => bearer.length > 0) === true;
  const admitsAnybody =
    node.security?.length === 0 || node.security?.some((each) => Object.keys(each).length === 0) === true;
  const shared = statuses
    .flatMap((status) => sharedOf[status] ?? [])
    .filter((id) => id !== "not-filterable" || isFiltered)
    .filter((id) => id !== "insufficient-scope" || wantsScopes)
    .filter((id) => id !== "no-token" || !admitsAnybody)
    // An operation without path parameters has errors of its own for missing objects.
    .filter((id) => id !== "not-found" || path.includes("{"));
  return {
    name,
    method,
    path,
    successes: statuses.map(Number).filter((status) => status < 300),
    failures: [...own, ...shared],
    hasBody: node.requestBody !== undefined,
    hasPages: node.parameters?.some(({ $ref }) => $ref.endsWith("/PageSize")) === true,
  };
}

const sharedOf: Readonly<Record<string, readonly string[]>> = {
  400: ["invalid-request", "not-filterable"],
  401: ["no-token", "invalid-token", "insufficient-scope"],
  403: ["not-permitted"],
  404: ["not-found"],
  429: ["rate-limited"],
};
