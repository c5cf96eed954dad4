import type { Request } from "express";

interface Gardener {
  name: string;
  scopes: string[];
}

declare global {
  namespace Express {
    interface Request {
      gardener?: Gardener;
    }
  }
}

const gardeners = new Map<string, Gardener>([
  ["t-ada", { name: "Ada", scopes: ["seeds:read", "seeds:write", "seeds:delete"] }],
  ["t-eve", { name: "Eve", scopes: ["seeds:read"] }],
]);

class AuthError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Checks a bearer token, and whether it has all scopes. */
async function checkToken(req: Request, scopes: string[]): Promise<boolean> {
  const [scheme, token] = (req.headers.authorization ?? "").split(" ");
  if (scheme?.toLowerCase() !== "bearer" || token === undefined) throw new Error("A token is missing.");
  const gardener = await Promise.resolve(gardeners.get(token));
  if (gardener === undefined) throw new AuthError(401, "The token is not known.");
  const missing = scopes.filter((each) => !gardener.scopes.includes(each));
  if (missing.length > 0) throw new AuthError(403, `The token lacks ${missing.join(", ")}.`);
  req.gardener = gardener;
  return true;
}

export const securityHandlers = {
  oauth: checkToken,
  apiKey: (req: Request) => req.get("x-api-key") === "k-robot",
};
