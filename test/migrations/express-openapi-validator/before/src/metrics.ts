/** What `/v1/metrics` shows. */
export const metrics: { requests: Record<string, number>; invalidResponses: string[] } = {
  requests: {},
  invalidResponses: [],
};

export function count(operation: string): void {
  metrics.requests[operation] = (metrics.requests[operation] ?? 0) + 1;
}
