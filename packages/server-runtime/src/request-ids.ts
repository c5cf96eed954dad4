/** Names of requests, and what went wrong when one was asked for. */
export interface Naming {
  readonly requestId: string;
  readonly failure?: { readonly error: unknown };
}

/** Names that no other request of this process has, and hardly one of another; or those that somebody else gives. */
export function requestNames(given: (() => string) | undefined): () => Naming {
  const start = crypto.randomUUID().replaceAll("-", "").slice(0, 12);
  let count = 0;
  const next = (): string => `${start}${(count += 1).toString(16).padStart(6, "0")}`;
  if (given === undefined) return () => ({ requestId: next() });
  return () => {
    try {
      return { requestId: given() };
    } catch (error) {
      return { requestId: next(), failure: { error } };
    }
  };
}
