import type { CallStep, ErrorExpectation, ErrorFormat } from "@plumbline/conformance-runtime";
import { type Api, documentedErrorBodies, errorFormat, memoize, type Operation, ownValue } from "@plumbline/kit/model";

/**
 * Where the documented error bodies of an operation have what. `undefined` if they are problem details, have the usual form, or a description
 * without errors says nothing of their entries.
 */
export function operationErrorFormat(api: Api, { name }: Operation): ErrorFormat | undefined {
  if (!statesErrors(api)) return undefined;
  const bodies = Object.values(documentedErrorBodies(api)?.[name] ?? {});
  return bodies.flatMap((body) => (body === null ? [] : (errorFormat(body.template) ?? []))).at(0);
}

const statesErrors = memoize(
  ({ errors, operations }: Api): boolean => errors.length > 0 || operations.some((each) => each.errors.length > 0),
);

/** The part of an expected error that can be read from a documented body. `undefined`: nothing of it. */
export function documentedError(
  api: Api,
  { method, address, path = {} }: CallStep,
  {
    operation,
    statuses,
    error,
  }: { readonly operation: Operation; readonly statuses: readonly number[]; readonly error: ErrorExpectation },
): ErrorExpectation | undefined {
  const format = operationErrorFormat(api, operation);
  const bodies = documentedErrorBodies(api)?.[operation.name] ?? {};
  // A path that no route matches has an error of the server, not of the operation.
  const isOdd = Object.values(path).some((value) => typeof value === "string" && /[/%]/.test(value));
  if (format === undefined || method !== undefined || address !== undefined || isOdd) return undefined;
  const isReadable = statuses.every((status) => {
    const keys = [String(status), `${Math.floor(status / 100)}XX`, "default"];
    const body = keys.map((key) => ownValue(bodies, key)).find((each) => each !== undefined);
    return body && JSON.stringify(errorFormat(body.template)) === JSON.stringify(format);
  });
  const { field, ...rest } = error;
  if (!isReadable) return undefined;
  return { format: "documented", ...rest, ...(format.field === undefined || field === undefined ? {} : { field }) };
}
