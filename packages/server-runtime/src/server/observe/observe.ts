import type { ValidationIssue } from "../../http/index.js";

/**
 * Observes the requests of a server: for traces, metrics and logs. Called when a request begins; returns what observes that request, or undefined.
 * Nothing that it receives has a value that a client sent, a credential or a body. An observer that throws or rejects is logged, and changes no response.
 *
 * @example
 * const observe: ObserveRequest = ({ operation }) => ({ end: ({ status, durationMs }) => console.log(operation, status, durationMs) });
 */
export type ObserveRequest = (request: ObservedRequest) => RequestObserver | undefined;

/** A request that begins. */
export interface ObservedRequest {
  /** The name of the operation. Undefined if no operation has the path and the method. */
  readonly operation: string | undefined;
  /** A method of HTTP, or `_OTHER`. */
  readonly method: string;
  /** The template of the path, such as `/v4/domains/{domainId}`, below the first base path. */
  readonly route: string | undefined;
  readonly requestId: string;
  readonly scheme: "http" | "https";
  /** Returns a header of the request by its lower-case name, for the context of a trace. Record no other header: its value comes from the client. */
  readonly header: (name: string) => string | undefined;
}

/** What observes one request. */
export interface RequestObserver {
  /** Runs the request, such as within an asynchronous context. Calls `handle` once, and returns its result. */
  run?<T>(handle: () => T): T;
  /** Called when a step has ended. A transaction that is retried repeats its steps. */
  step?(step: ObservedStep): void;
  /** Called when the last byte of the response was passed on, or the client has disconnected. */
  end?(outcome: ObservedOutcome): void;
}

/** The steps of a request, in the order in which they begin. "The order of a request" in the documentation says what each does. */
export type StepName =
  | "authentication"
  | "scopes"
  | "rates"
  | "decoding"
  | "path-resources"
  | "grants"
  | "body-resources"
  | "changes"
  | "limits"
  | "handler"
  | "response";

/** A step that has ended. */
export interface ObservedStep {
  readonly name: StepName;
  readonly durationMs: number;
  /** False if the request ends with the error of this step. */
  readonly isPassed: boolean;
}

/** How a request ended. */
export interface ObservedOutcome {
  /** The status of the response. Undefined if the client disconnected before there was one. */
  readonly status: number | undefined;
  readonly durationMs: number;
  /** The id of the caller. Undefined for anonymous ones. */
  readonly user: string | number | undefined;
  /** The id of the documented error. */
  readonly error: string | undefined;
  /** The name of the class of another error, such as `TypeError` or `ClientDisconnectedError`. */
  readonly thrown: string | undefined;
  /** The ids of the limits that the request has reached. */
  readonly limits: readonly string[];
  readonly issues: readonly ObservedIssue[];
  readonly transitions: readonly ObservedTransition[];
  /** The declared size of the request's body. Undefined if the client declared none. */
  readonly requestBytes: number | undefined;
  readonly responseBytes: number;
}

/** A finding of validation, without the value. */
export interface ObservedIssue {
  readonly in: ValidationIssue["in"];
  /** A JSON pointer of names that the description has, such as `/devices/sda/disk_id`. `*` stands for indexes, and for names that the client chose. */
  readonly field: string;
  readonly code: ValidationIssue["code"];
}

/** A state in which the operation found an object. */
export interface ObservedTransition {
  readonly stateMachine: string;
  readonly from: string;
  /** False if the operation is not allowed in this state. */
  readonly isAllowed: boolean;
}
