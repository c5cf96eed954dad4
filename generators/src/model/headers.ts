import type { Api } from "./api.js";

/** What the server says of itself in headers that are described under these names: of limits, scopes and the request. */
export const headerRoles = {
  requestId: "X-Request-Id",
  scopes: "X-OAuth-Scopes",
  acceptedScopes: "X-Accepted-OAuth-Scopes",
  limit: "X-RateLimit-Limit",
  remaining: "X-RateLimit-Remaining",
  reset: "X-RateLimit-Reset",
} as const;

/** The headers that every answer may carry, as the description writes them; every answer names its request. */
export function headerNames({ operations, linked }: Api): Readonly<Record<string, string>> {
  const described = new Map(
    [...operations, ...linked].flatMap(({ replies }) =>
      replies.flatMap(({ headers }) => headers.map(({ name }) => [name.toLowerCase(), name] as const)),
    ),
  );
  return Object.fromEntries(
    Object.entries(headerRoles).flatMap(([role, usual]) => {
      const name = described.get(usual.toLowerCase()) ?? (role === "requestId" ? usual : undefined);
      return name === undefined ? [] : [[role, name] as const];
    }),
  );
}
