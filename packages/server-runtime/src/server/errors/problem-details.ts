import { createProblemDetails, type OperationDefinition, type Problem, type ProblemDetails } from "../../http/index.js";
import type { ErrorEntry, UnformattedError } from "./errors.js";

/** The request whose error is formed. */
export interface ProblemRequest {
  readonly requestId: string;
  readonly operation?: OperationDefinition | undefined;
}

/** The types of documented errors. */
export interface ProblemTypes {
  /** The start of their URIs, which their ids follow. Absent: the type is `about:blank`. */
  readonly types?: string;
}

/** Forms an error response as problem details. */
export function problemDetailsOf(
  { id, status, errors, issues }: UnformattedError,
  { requestId, operation }: ProblemRequest,
  { types }: ProblemTypes,
): ProblemDetails {
  const [first] = errors;
  const isTyped = types !== undefined && id !== undefined;
  return createProblemDetails({
    status,
    ...(isTyped && { type: types + encodeURIComponent(id), title: first?.reason }),
    // A fragment of the request's URL: nothing else has the id as its address.
    instance: `#${encodeURIComponent(requestId)}`,
    entries: locatedErrors({ errors, issues }, operation),
  });
}

/** The entries of an error response, each with the part of the request that it is about. */
export function locatedErrors(
  { errors, issues }: { readonly errors: readonly ErrorEntry[]; readonly issues?: Problem["entries"] | undefined },
  operation: OperationDefinition | undefined,
): Problem["entries"] {
  return issues ?? errors.map((entry) => withLocation(entry, operation));
}

/** A documented error names a parameter, or a field of the body. A path parameter has the name of a body's field often. */
function withLocation(entry: ErrorEntry, operation: OperationDefinition | undefined): Problem["entries"][number] {
  const { field } = entry;
  if (field === undefined || operation === undefined) return entry;
  const [name = ""] = field.split(".");
  const parameter = operation.parameters?.find((each) => each.name === name);
  const isParameter = parameter !== undefined && (operation.body === undefined || parameter.in !== "path");
  return { ...entry, in: isParameter ? parameter.in : "body" };
}
