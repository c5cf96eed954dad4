import type { ErrorResponse } from "./error-response.js";
import type { IssueCode } from "./issues.js";
import type { IssueLocation } from "./validation-issue.js";

/** Problem details for HTTP APIs (RFC 9457), with the extension `errors` of its example. */
export interface ProblemDetails {
  /** A URI that identifies the kind of problem. `about:blank`: the status says it. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** A URI reference that identifies this occurrence. */
  readonly instance?: string;
  readonly errors?: readonly ProblemEntry[];
}

/** One invalid value. The body has a pointer, everything else a name. */
export interface ProblemEntry {
  readonly detail: string;
  /** A JSON pointer as a URI fragment, such as `#/disks/0/size`. */
  readonly pointer?: string;
  /** The name of a parameter of the path, the query or the cookies. */
  readonly parameter?: string;
  readonly header?: string;
}

/** What problem details are created from. */
export interface Problem {
  readonly status: number;
  readonly type?: string | undefined;
  /** Default: the phrase of the status. */
  readonly title?: string | undefined;
  readonly instance?: string | undefined;
  readonly entries: readonly {
    /** Absent: the error is not about a value. */
    readonly in?: IssueLocation;
    /** A path such as `disks.0.size` in a body, or the name of a parameter. Absent: the value itself. */
    readonly field?: string;
    /** The rule that the value broke, if validation found it. */
    readonly code?: IssueCode;
    readonly reason: string;
  }[];
}

export const problemMediaType = "application/problem+json";

/** Creates problem details. They have `errors` if an entry has a location. Texts have at most 1,024 characters. */
export function createProblemDetails({ status, type, title, instance, entries }: Problem): ProblemDetails {
  const phrase = statusPhrases[status] ?? "Error";
  const errors = entries.map(({ in: location, field, reason }) => ({
    detail: cut(reason),
    ...locate(location, field),
  }));
  const sentences = entries.map(({ field, reason }) => (field === undefined ? reason : `${field} ${reason}`));
  return {
    type: type ?? "about:blank",
    title: cut(title ?? phrase),
    status,
    detail: cut(sentences.join("; ") || phrase),
    ...(instance !== undefined && { instance }),
    ...(errors.some((each) => Object.keys(each).length > 1) && { errors }),
  };
}

// Descriptions with longer texts are not recognized as problem details.
const maxTextLength = 1024;

function cut(text: string): string {
  return text.slice(0, maxTextLength);
}

/** Turns the error response of a validator into problem details. */
export function toProblemDetails(errorResponse: ErrorResponse): ErrorResponse {
  const { status, issues, headers, body } = errorResponse;
  // The issues of an invalid response are for the log alone.
  const { errors = [] } = body as { readonly errors?: Problem["entries"] };
  const entries = status < 500 ? issues : errors;
  return {
    ...errorResponse,
    headers: { ...headers, "content-type": problemMediaType },
    body: createProblemDetails({ status, entries }),
  };
}

function locate(location: IssueLocation | undefined, field: string | undefined): Omit<ProblemEntry, "detail"> {
  if (location === undefined || location === "request" || location === "response") return {};
  if (location === "body") return { pointer: cut(`#${field === undefined ? "" : toPointer(field)}`) };
  if (field === undefined) return {};
  return location === "header" ? { header: field } : { parameter: cut(field) };
}

/** A JSON pointer in a URI fragment (RFC 6901, 6). */
function toPointer(field: string): string {
  const segments = field.split(".").map((each) => each.replaceAll("~", "~0").replaceAll("/", "~1"));
  // A lone surrogate has no percent-encoding.
  return segments.map((each) => `/${encodeURIComponent(each.replaceAll(/\p{Cs}/gu, "\ufffd"))}`).join("");
}

/** The phrases of HTTP statuses. */
export const statusPhrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  417: "Expectation Failed",
  422: "Unprocessable Content",
  423: "Locked",
  428: "Precondition Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};
