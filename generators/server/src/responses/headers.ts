import { type ResponseHeader, type OperationResponse, knownHeaders } from "@plumbline/model";

/** Response headers that the server sets itself, in lower case. */
export const runtimeHeaders: ReadonlySet<string> = new Set(
  [...Object.values(knownHeaders), "Retry-After"].map((each) => each.toLowerCase()),
);

/** Returns the documented headers of a response that its handler sets. */
export function handlerHeaders({ headers }: OperationResponse): readonly ResponseHeader[] {
  return headers.filter((header) => !runtimeHeaders.has(header.name.toLowerCase()));
}
