import { type Operation, type OperationResponse, type ResponseHeader, knownHeaders } from "@plumbline/kit/model";

/** Response headers that the server sets itself, in lower case. */
export const runtimeHeaders: ReadonlySet<string> = new Set(
  [...Object.values(knownHeaders), "Retry-After"].map((each) => each.toLowerCase()),
);

/** Returns the documented headers of a response that its handler sets. */
export function handlerHeaders({ deprecation }: Operation, { headers }: OperationResponse): readonly ResponseHeader[] {
  return headers.filter(({ name }) => {
    const header = name.toLowerCase();
    const isDated =
      (header === "deprecation" && deprecation?.since !== undefined) ||
      (header === "sunset" && deprecation?.sunset !== undefined);
    return !isDated && !runtimeHeaders.has(header);
  });
}
