import type { Api, HeaderRole, Operation, OperationResponse, ResponseHeader } from "./api.js";
import { memoize } from "./memoize.js";

/** The roles of response headers that servers fill in, each with the names that are in common use. */
const usualNames = {
  requestId: ["X-Request-Id"],
  scopes: ["X-OAuth-Scopes"],
  acceptedScopes: ["X-Accepted-OAuth-Scopes"],
  limit: ["X-RateLimit-Limit"],
  remaining: ["X-RateLimit-Remaining"],
  reset: ["X-RateLimit-Reset"],
  rateLimit: ["RateLimit"],
  rateLimitPolicy: ["RateLimit-Policy"],
} as const satisfies Readonly<Record<HeaderRole, readonly string[]>>;

export const headerRoles: readonly HeaderRole[] = Object.keys(usualNames) as HeaderRole[];

/** Names of headers by role, and the value of `scopes` without a token. */
export type HeaderNames = Readonly<Partial<Record<HeaderRole, string>>> & { readonly noScopes?: string };

/**
 * Returns the headers that any response may have, spelled as in the description: those of `x-headers`, and documented ones of the usual
 * names. Every response has a request id.
 */
export function headerNames({ operations, operationsWithoutPath, headers: stated }: Api): HeaderNames {
  const described = new Map(
    [...operations, ...operationsWithoutPath].flatMap(({ responses }) =>
      responses.flatMap(({ headers }) => headers.map(({ name }) => [name.toLowerCase(), name] as const)),
    ),
  );
  const names = headerRoles.flatMap((role) => {
    const usual = usualNames[role].flatMap((each) => described.get(each.toLowerCase()) ?? []);
    const name = stated?.names[role] ?? usual[0] ?? (role === "requestId" ? usualNames[role][0] : undefined);
    return name === undefined ? [] : [[role, name] as const];
  });
  return { ...Object.fromEntries(names), ...(stated?.noScopes === undefined ? {} : { noScopes: stated.noScopes }) };
}

/** Response headers that the server sets itself, in lower case. */
const runtimeHeaders = memoize((api): ReadonlySet<string> => {
  const { noScopes: _noScopes, ...names } = headerNames(api);
  return new Set([...Object.values(names), "Retry-After"].map((each) => each.toLowerCase()));
});

/** Returns the documented headers of a response that its handler sets. The server sets those that have a role, and those of deprecations. */
export function handlerHeaders(
  api: Api,
  { deprecation }: Operation,
  { headers }: OperationResponse,
): readonly ResponseHeader[] {
  return headers.filter(({ name }) => {
    const header = name.toLowerCase();
    const isDated =
      (header === "deprecation" && deprecation?.since !== undefined) ||
      (header === "sunset" && deprecation?.sunset !== undefined);
    return !isDated && !runtimeHeaders(api).has(header);
  });
}
