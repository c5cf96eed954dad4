/** The id of a request, and the error of the function that should have created it. */
export interface RequestIdResult {
  readonly requestId: string;
  readonly error?: { readonly error: unknown };
}

/** Creates ids that are unique in this process, and almost certainly among others. The option `requestId` replaces them. */
export function createRequestIds(createId: (() => string) | undefined): () => RequestIdResult {
  const start = crypto.randomUUID().replaceAll("-", "").slice(0, 12);
  let count = 0;
  const next = (): string => `${start}${(count += 1).toString(16).padStart(6, "0")}`;
  if (createId === undefined) return () => ({ requestId: next() });
  return () => {
    try {
      return { requestId: createId() };
    } catch (error) {
      return { requestId: next(), error: { error } };
    }
  };
}
