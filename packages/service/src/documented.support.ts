import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { byStatus, failures, sharedFailures } from "../../server/dist/gen/errors.js";
import type { Answered } from "./answers.support.js";

/** An operation, and how the description says that it answers. */
export interface Documented {
  readonly name: string;
  readonly method: string;
  /** As the description writes it. */
  readonly path: string;
  readonly successes: readonly number[];
  /** The ids of its own failures, and of the shared ones whose status it lists. */
  readonly failures: readonly string[];
  readonly hasBody: boolean;
  readonly hasPages: boolean;
}

/** Every operation of the description, and the upload that an address leads to. */
export function documentedOperations(): Documented[] {
  const { paths } = read("openapi.yaml") as { readonly paths: Readonly<Record<string, Reference>> };
  const found = Object.entries(paths).flatMap(([path, { $ref }]) => {
    const [file = "", name = ""] = $ref.split("#/");
    const item = (read(file) as Readonly<Record<string, Readonly<Record<string, OperationNode>>>>)[name] ?? {};
    return Object.entries(item)
      .filter(([method]) => ["get", "post", "put", "delete"].includes(method))
      .map(([method, node]) => operationOf({ method: method.toUpperCase(), path, node }));
  });
  return [...found, upload];
}

/** Where the address in the reply of `uploadImage` leads to; the description gives it no path. */
const upload: Documented = {
  name: "putImageData",
  method: "PUT",
  path: "/uploads/{ticket}",
  successes: [200],
  failures: ["image-too-large", "upload-closed", "invalid-request"],
  hasBody: true,
  hasPages: false,
};

/** Failures that are not of an operation: they are told of what is no call of one, or happen to any. */
export const general: readonly string[] = [
  "method-not-allowed",
  "request-timeout",
  "request-too-large",
  "unsupported-media-type",
  "server-error",
  "unavailable",
];

/** What was seen: `createTag 200`, `createTag no-such-object`, and `unavailable` of whatever it was. */
export function seenIn(answers: readonly Answered[], operations: readonly Documented[]): ReadonlySet<string> {
  return new Set(
    answers.flatMap((answered) => {
      const operation = operationAt(answered, operations);
      const what = answered.status < 400 ? String(answered.status) : failureOf(answered, operation);
      if (what === undefined) return [];
      return [what, ...(operation === undefined ? [] : [`${operation.name} ${what}`])];
    }),
  );
}

/** What was seen and is not documented: `listTags not-found`, and `DELETE /tags/0 418` where no failure is known by it. */
export function undocumentedIn(answers: readonly Answered[], operations: readonly Documented[]): string[] {
  const documented = new Set(documentedAnswers(operations));
  const seen = [...seenIn(answers, operations)].filter((each) => {
    const [, what] = each.split(" ");
    return what !== undefined && !general.includes(what) && !documented.has(each);
  });
  const unknown = answers.filter((each) => seenIn([each], operations).size === 0);
  return [...seen, ...unknown.map(({ method, path, status }) => `${method} ${path} ${status}`)];
}

/** What has to be seen. */
export function documentedAnswers(operations: readonly Documented[]): string[] {
  const own = operations.flatMap(({ name, successes, failures: ids }) =>
    [...successes, ...ids].map((each) => `${name} ${each}`),
  );
  return [...own, ...general];
}

function operationAt({ method, path }: Answered, operations: readonly Documented[]): Documented | undefined {
  const fitting = operations.filter((each) => each.method === method && patternOf(each.path).test(path));
  // `/images/upload` is no image.
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

function failureOf({ status, errors, hadToken }: Answered, operation: Documented | undefined): string | undefined {
  const { field, reason } = errors[0] ?? {};
  const said = field == null ? reason : `${field}: ${reason}`;
  const own = Object.entries((operation && failures[operation.name]) ?? sharedFailures).filter(
    ([, failure]) => failure.status === status,
  );
  if (status === 401 && reason === sharedFailures["no-token"]?.reason) return hadToken ? "invalid-token" : "no-token";
  const told = own.find(
    ([id, failure]) =>
      failure.reason === reason || (id === "not-filterable" && reason?.startsWith(failure.reason) === true),
  );
  // What is wrong with a request itself is told in many words.
  return (
    told?.[0] ??
    otherWords.find(([words]) => words.test(said ?? ""))?.[1] ??
    ([400, 413, 415].includes(status) ? byStatus[status] : undefined)
  );
}

/** What is said in other words than the description's: by the validator of what it counts, and by handlers. */
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

function operationOf(at: { readonly method: string; readonly path: string; readonly node: OperationNode }): Documented {
  const { method, path, node } = at;
  const name = node.operationId;
  const statuses = Object.keys(node.responses).filter((status) => status !== "default");
  const own = Object.keys(failures[name] ?? {}).filter((id) => !Object.hasOwn(sharedFailures, id));
  const isFiltered = node.parameters?.some(({ $ref }) => $ref.endsWith("/Filter")) === true;
  const wantsScopes = node.security?.some(({ bearer = [] }) => bearer.length > 0) === true;
  const admitsAnybody = node.security?.length === 0 || node.security?.some((each) => Object.keys(each).length === 0) === true;
  const shared = statuses
    .flatMap((status) => sharedOf[status] ?? [])
    .filter((id) => id !== "not-filterable" || isFiltered)
    .filter((id) => id !== "insufficient-scope" || wantsScopes)
    .filter((id) => id !== "no-token" || !admitsAnybody)
    // What is told of an operation without a path to name something is told by failures of its own.
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

function read(file: string): unknown {
  const known = files.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(join(import.meta.dirname, "..", "..", "..", "spec", file), "utf8");
  const node: unknown = parse(text, { merge: true });
  files.set(file, node);
  return node;
}

const files = new Map<string, unknown>();
