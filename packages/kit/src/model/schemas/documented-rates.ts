import type { Api, Limit } from "../api.js";
import { memoize } from "../memoize.js";

/** A rate limit as clients keep to it. */
export interface DocumentedRate {
  readonly id: string;
  readonly max: number;
  readonly windowSeconds: number;
  /** The operations that share it, as `METHOD /path`. */
  readonly operations: readonly string[];
  /** The path parameter whose values are counted separately. */
  readonly per?: string;
}

/** Returns each rate limit of requests, with the operations that share it. */
export const documentedRates: (api: Api) => readonly DocumentedRate[] = memoize((api) => {
  const rates = new Map<string, { readonly limit: Limit; readonly operations: string[] }>();
  for (const operation of api.operations)
    for (const limit of operation.limits.filter(({ kind }) => kind === "rate")) {
      const rate = rates.get(limit.id) ?? { limit, operations: [] };
      rate.operations.push(`${operation.method} ${operation.path}`);
      rates.set(limit.id, rate);
    }
  return [...rates.values()].flatMap(({ limit: { id, max, window, per }, operations }): readonly DocumentedRate[] => {
    if (max === undefined || window === undefined) return [];
    const rate = { id, max, windowSeconds: window.seconds, operations };
    // A client cannot see other keys of a rate limit. In these cases, it keeps all requests together below the rate.
    return [per?.root === "request" && per.part === "path" ? { ...rate, per: per.name ?? "" } : rate];
  });
});
