import type { Api } from "./api.js";

/** Header names with a defined meaning, which the server sets: request id, scopes and rate limits. */
export const knownHeaders = {
  requestId: "X-Request-Id",
  scopes: "X-OAuth-Scopes",
  acceptedScopes: "X-Accepted-OAuth-Scopes",
  limit: "X-RateLimit-Limit",
  remaining: "X-RateLimit-Remaining",
  reset: "X-RateLimit-Reset",
} as const;

/** Returns the headers that any response may have, spelled as in the description. Every response has a request id. */
export function headerNames({ operations, operationsWithoutPath }: Api): Readonly<Record<string, string>> {
  const described = new Map(
    [...operations, ...operationsWithoutPath].flatMap(({ responses }) =>
      responses.flatMap(({ headers }) => headers.map(({ name }) => [name.toLowerCase(), name] as const)),
    ),
  );
  return Object.fromEntries(
    Object.entries(knownHeaders).flatMap(([role, usual]) => {
      const name = described.get(usual.toLowerCase()) ?? (role === "requestId" ? usual : undefined);
      return name === undefined ? [] : [[role, name] as const];
    }),
  );
}
