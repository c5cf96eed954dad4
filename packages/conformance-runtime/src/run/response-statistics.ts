import type { DecodedResponse } from "../http/decode-response.js";
import type { ResponseCounts, StopReason } from "../results.js";
import type { CredentialInfo, OperationInfo } from "../suite.js";

/** Counts the responses of a run, and detects a run in which nothing can be learnt. */
export interface ResponseStatistics {
  /** Records a response of the API, or that there was none. */
  record(exchange: RecordedExchange): void;
  /** Responses by operation and status. */
  counts(): ResponseCounts;
  /** Why the run should stop. Undefined while one response of many was useful. */
  findStopReason(): StopReason | undefined;
  /**
   * A wrong credential or a wrong address. Undefined with fewer than `least` responses, when one of them was useful, and when only one
   * operation responded with another status than 401: that operation may be at fault.
   */
  findWrongTarget(least: number): StopReason | undefined;
}

export interface RecordedExchange {
  readonly operation: string;
  readonly info: OperationInfo;
  /** True for a request with the main credential. */
  readonly isMain: boolean;
  /** Undefined: no response. */
  readonly response: Pick<DecodedResponse, "status" | "headers"> | undefined;
}

/** With fewer responses a run does not stop: the first ones may all come from one broken operation. */
const minResponsesToStop = 12;

/** @param createsUsers True when the test controls create the users of the run, so that no token of the options is used. */
export function createResponseStatistics({ createsUsers }: { readonly createsUsers: boolean }): ResponseStatistics {
  const counts = new Map<string, Map<number, number>>();
  const all = { count: 0, notFound: 0, html: 0 };
  const main = { count: 0, rejected: 0, unauthorized: 0, status: 401, schemes: new Map<string, CredentialInfo>() };
  // Responses in a row: a server may stop at any time.
  let unanswered = 0;

  return {
    record({ operation, info, isMain, response }) {
      const status = response?.status ?? 0;
      const ofOperation = counts.get(operation) ?? new Map<number, number>();
      counts.set(operation, ofOperation.set(status, (ofOperation.get(status) ?? 0) + 1));
      unanswered = response === undefined ? unanswered + 1 : 0;
      if (response === undefined) return;
      all.count++;
      if (status === 404) all.notFound++;
      if (/^text\/html\b/i.test(response.headers["content-type"] ?? "")) all.html++;
      if (!isMain || info.public === true) return;
      main.count++;
      if (status !== 401 && status !== 403) return;
      main.rejected++;
      if (status === 401) main.unauthorized++;
      main.status = status;
      for (const each of info.credentials ?? [defaultCredential]) main.schemes.set(formatCredential(each), each);
    },
    counts: () =>
      Object.fromEntries([...counts].map(([operation, statuses]) => [operation, Object.fromEntries(statuses)])),
    findStopReason() {
      if (unanswered < minResponsesToStop) return findWrongTarget(minResponsesToStop);
      const text = `The last ${unanswered} requests had no response. Start the server again.`;
      return { kind: "no-response", text };
    },
    findWrongTarget,
  };

  function findWrongTarget(least: number): StopReason | undefined {
    // One operation may be at fault for other statuses than 401.
    const hasOneOperation = counts.size < 2;
    if (main.count >= least && main.rejected === main.count && (main.unauthorized === main.count || !hasOneOperation))
      return { kind: "credential", text: credentialReason({ ...main, createsUsers }) };
    if (all.count < least || hasOneOperation) return undefined;
    const fix = "Pass the address of the API with its base path: --url.";
    if (all.notFound === all.count)
      return { kind: "address", text: `The server responded with 404 to all ${all.count} requests. ${fix}` };
    if (all.html === all.count)
      return { kind: "address", text: `The server responded with HTML to all ${all.count} requests. ${fix}` };
    return undefined;
  }
}

const defaultCredential: CredentialInfo = { scheme: "", as: "bearer" };

function credentialReason({
  count,
  status,
  schemes,
  createsUsers,
}: {
  readonly count: number;
  readonly status: number;
  readonly schemes: ReadonlyMap<string, CredentialInfo>;
  readonly createsUsers: boolean;
}): string {
  const required = [...schemes.keys()].join(", or ");
  const source = createsUsers
    ? "The tokens come from the test controls: check that --controls and --url belong to one server."
    : 'Check --token, CONFORMANCE_TOKEN, or "main" of the profile.';
  return `The server responded with ${status} to all ${count} requests with the main credential. The description requires ${required}. ${source}`;
}

/** What a request has to carry, such as `Authorization: Bearer TOKEN`. */
export function formatCredential(credential: CredentialInfo): string {
  const scheme = credential.scheme === "" ? "" : ` (${credential.scheme})`;
  if (credential.as !== "apiKey")
    return `${credential.as === "basic" ? "HTTP Basic with USER:PASSWORD as the token" : "`Authorization: Bearer TOKEN`"}${scheme}`;
  const places = { header: "the header", query: "the query parameter", cookie: "the cookie" } satisfies Record<
    typeof credential.in,
    string
  >;
  return `the token in ${places[credential.in]} \`${credential.name}\`${scheme}`;
}
