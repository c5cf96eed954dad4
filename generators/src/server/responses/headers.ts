import {
  type Api,
  headerNames,
  memoize,
  type Operation,
  type OperationResponse,
  type ResponseHeader,
} from "@plumbline/kit/model";

/** Response headers that the server sets itself, in lower case. */
const runtimeHeaders = memoize((api): ReadonlySet<string> => {
  const { noScopes: _noScopes, ...names } = headerNames(api);
  return new Set([...Object.values(names), "Retry-After"].map((each) => each.toLowerCase()));
});

/** Returns the documented headers of a response that its handler sets. */
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
