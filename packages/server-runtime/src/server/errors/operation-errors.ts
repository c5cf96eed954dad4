import { IssueCollector, type Issues, type ValidationIssue } from "../../http/index.js";
import {
  errorResponseFor,
  RejectedRequestError,
  sharedErrorResponse,
  toErrorEntries,
  type ErrorDefinitions,
  type ErrorIdByStatus,
  type UnformattedError,
  type OperationErrorOptions,
} from "./errors.js";

/** The errors that every operation shares. */
export interface SharedErrors {
  readonly sharedErrors: ErrorDefinitions;
  readonly sharedErrorByStatus: ErrorIdByStatus;
}

/** Creates the errors of one operation, as the description documents them. */
export class OperationErrors {
  readonly #documented: ErrorDefinitions;
  readonly #shared: SharedErrors;

  constructor(documented: ErrorDefinitions, shared: SharedErrors) {
    this.#documented = documented;
    this.#shared = shared;
  }

  validation(issues: readonly ValidationIssue[]): RejectedRequestError {
    return new RejectedRequestError({ status: 400, errors: toErrorEntries(issues), issues });
  }

  /** The error for what validation finds in the body. */
  invalidBody(issues: Issues): RejectedRequestError {
    const collector = new IssueCollector();
    collector.add(issues, "body");
    return this.validation(collector.all);
  }

  /** The error for a resource that does not exist, or that the caller may not see. */
  notFound(id: string | undefined, locations?: readonly string[]): RejectedRequestError {
    return id === undefined || !Object.hasOwn(this.#documented, id) ? this.shared(404) : this.at(id, locations);
  }

  forbidden(id: string | undefined): RejectedRequestError {
    return id === undefined ? this.shared(403) : this.documented(id);
  }

  documented(id: string, detail: OperationErrorOptions = {}): RejectedRequestError {
    return new RejectedRequestError(errorResponseFor(id, this.#documented, detail));
  }

  /** The error for the value at a location, "" for the body. The documented field is relative to that value. */
  within(id: string, location: string): RejectedRequestError {
    const about = this.#documented[id]?.field;
    const relative = typeof about === "string" && !about.startsWith("$") ? about : "";
    const field = [location, relative].filter((each) => each !== "");
    return this.documented(id, about === null || field.length === 0 ? {} : { field: field.join(".") });
  }

  /** The error with one entry for each location, if the description leaves the field open. `limit`: the id of the limit that is reached. */
  at(id: string | undefined, locations: readonly string[] = [], limit?: string): RejectedRequestError {
    const errorResponse = { ...this.response(id, 400), limit };
    if (id === undefined) return new RejectedRequestError(errorResponse);
    const about = this.#documented[id]?.field;
    const isOpen = about === undefined || (about !== null && about.startsWith("$"));
    if (!isOpen || locations.length === 0) return new RejectedRequestError(errorResponse);
    const reason = errorResponse.errors[0]?.reason ?? "";
    return new RejectedRequestError({
      ...errorResponse,
      errors: locations.slice(0, maxErrorEntries).map((field) => ({ field, reason })),
    });
  }

  shared(status: SharedStatus): RejectedRequestError {
    return new RejectedRequestError(this.response(undefined, status));
  }

  /** The response for a documented error, or without an id for the shared error of a status. */
  response(id: string | undefined, status: SharedStatus): UnformattedError {
    const { sharedErrors, sharedErrorByStatus } = this.#shared;
    return id === undefined
      ? sharedErrorResponse(status, sharedErrors, sharedErrorByStatus)
      : errorResponseFor(id, this.#documented);
  }
}

type SharedStatus = Parameters<typeof sharedErrorResponse>[0];

const maxErrorEntries = 100;
