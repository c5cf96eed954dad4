import {
  challengeFor,
  createErrorResponse,
  hasOwn,
  IssueCollector,
  malformedCredential,
  otherScheme,
  readCredential,
  type ErrorResponse,
  type Issue,
  type ReasonFormatter,
  type RequestHead,
  type SecurityRequirement,
  type SecurityScheme,
} from "../../http/index.js";

export type { BasicCredentials, SecurityRequirement, SecurityScheme } from "../../http/index.js";

/** What a handler gets beside the request. */
export interface SecurityContext<Credential = string> {
  /** The credential that the request has for the scheme: a token or key, a user name and password, or for mutual TLS nothing. */
  readonly credential: Credential;
  /** The name of the scheme in the description. */
  readonly scheme: string;
  /** The scopes that the operation requires of the scheme. */
  readonly scopes: readonly string[];
  /** The name of the operation. */
  readonly operation: string;
}

/** Whether a credential is valid. `"forbidden"`: it is, but it lacks one of the scopes. */
export type SecurityDecision = boolean | "forbidden";

/** Checks the credential of one scheme. A request without a credential for the scheme does not reach it. */
export type SecurityHandler<Request, Credential = string> = {
  // As a method, so that a handler may ask for the request of its framework.
  handle(request: Request, context: SecurityContext<Credential>): SecurityDecision | Promise<SecurityDecision>;
}["handle"];

/** Handlers by the names of schemes. */
export type SecurityHandlers<Request> = Readonly<Record<string, SecurityHandler<Request, never>>>;

/** The security schemes of a description, and what its operations require. */
export interface SecurityTable {
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** By operation: alternatives, one of which has to be met. Operations without any are public. */
  readonly requirements: Readonly<Record<string, readonly SecurityRequirement[]>>;
}

/** A request whose operation is known. */
export interface SecuredRequest {
  readonly operation: string;
  readonly head: RequestHead;
  /** What the handlers get. */
  readonly subject: object;
  readonly handlers: SecurityHandlers<object>;
  readonly reason: ReasonFormatter | undefined;
}

/** Resolves with a 401 or 403, or with undefined if the request may pass. Rejects with what a handler throws. */
export type SecurityCheck = (request: SecuredRequest) => Promise<ErrorResponse | undefined>;

/** Creates the check of a description. */
export function createSecurityCheck({ schemes, requirements }: SecurityTable): SecurityCheck {
  return async (request) => {
    const { operation } = request;
    const alternatives = (hasOwn(requirements, operation) && requirements[operation]) || [];
    if (alternatives.length === 0) return undefined;
    const decide = decideOnce(request, schemes);
    let isSent = false;
    let forbidden: readonly string[] | undefined;
    for (const alternative of alternatives) {
      const decisions: Decision[] = [];
      for (const requirement of alternative) decisions.push(await decide(requirement));
      if (alternative.length > 0 && decisions.every((each) => each === true)) return undefined;
      isSent ||= decisions.some((each) => each !== "absent");
      if (decisions.includes("forbidden") && decisions.every((each) => each === true || each === "forbidden"))
        forbidden ??= alternative.flatMap(({ scopes }) => scopes);
    }
    // A credential that is sent has to be valid.
    if (!isSent && alternatives.some((each) => each.length === 0)) return undefined;
    if (forbidden !== undefined) return rejection({ code: "scope", first: forbidden }, request);
    const names = alternatives.flatMap((each) => each.map(({ scheme }) => scheme));
    const { headers, ...rest } = rejection({ code: "credential" }, request);
    return { ...rest, headers: { ...headers, "www-authenticate": challengeFor(names, schemes) } };
  };
}

type Decision = SecurityDecision | "absent";

/** Calls a handler once for the same scopes. */
function decideOnce(
  { operation, head, subject, handlers }: SecuredRequest,
  schemes: SecurityTable["schemes"],
): (requirement: SecurityRequirement[number]) => Promise<Decision> {
  const decided = new Map<string, Promise<Decision>>();
  const decide = async ({ scheme, scopes }: SecurityRequirement[number]): Promise<Decision> => {
    const sent = readCredential(schemes[scheme], head);
    if (sent === undefined) return "absent";
    if (sent === malformedCredential || sent === otherScheme) return false;
    const handle = hasOwn(handlers, scheme) ? handlers[scheme] : undefined;
    if (handle === undefined)
      throw new TypeError(`Missing option \`security.${scheme}\`. Provide a function that checks its credentials.`);
    const isCertificate = schemes[scheme]?.kind === "mutualTLS";
    const credential = isCertificate ? undefined : sent;
    const decision: unknown = await handle(subject, { credential, scheme, scopes, operation } as never);
    if (decision === "forbidden") return decision;
    // A connection may have no certificate, and an unknown one counts as none.
    return decision === true || (isCertificate ? "absent" : false);
  };
  return (requirement) => {
    const key = JSON.stringify([requirement.scheme, ...requirement.scopes]);
    const decision = decided.get(key) ?? decide(requirement);
    decided.set(key, decision);
    return decision;
  };
}

function rejection(
  issue: Pick<Issue, "code" | "first">,
  { operation, reason }: Pick<SecuredRequest, "operation" | "reason">,
): ErrorResponse {
  const collector = new IssueCollector(reason);
  collector.add([{ path: [], ...issue }], "request");
  return { ...createErrorResponse(collector), operation };
}
