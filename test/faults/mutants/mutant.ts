import type { Api, Json, Operation } from "@plumbline/kit/model";
import type { ProxyRequest, ProxyResponse } from "../proxy.js";

/** A violation of one statement of a description, made in a proxy in front of a server that does as described. */
export interface Mutant {
  /** Kind, place in the description and detail. */
  readonly id: string;
  readonly kind: MutantKind;
  /** The requirements that the statement carries. Empty for a description without requirements. */
  readonly requirements: readonly string[];
  /** The operations whose cases may find it, for a description without requirements. */
  readonly operations: readonly string[];
  /** What the faulty server does. */
  readonly description: string;
  /** Starts the violation. Its state is that of one run. */
  readonly start: () => Violation;
}

/** What a violation does with requests and responses. Absent: nothing. */
export interface Violation {
  /** Returns another request for the server, or a response in its place. */
  readonly onRequest?: (
    call: Call,
    proxy: ProxyContext,
  ) => ProxyRequest | ProxyResponse | undefined | Promise<ProxyRequest | ProxyResponse | undefined>;
  readonly onResponse?: (
    answer: ProxyResponse,
    call: Call,
    proxy: ProxyContext,
  ) => ProxyResponse | Promise<ProxyResponse>;
}

/** A request of a documented operation. */
export interface Call {
  readonly operation: Operation;
  readonly request: ProxyRequest;
  /** The values of the path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** The JSON body. Absent: none, or one that is not JSON. */
  readonly body?: Json;
}

export interface ProxyContext {
  readonly api: Api;
  /** What the server has shown before this response. */
  readonly memory: Memory;
  readonly send: (request: ProxyRequest) => Promise<ProxyResponse>;
}

/** What the server has shown, as far as a violation needs it. */
export interface Memory {
  /** The last success of an operation. */
  readonly success: ReadonlyMap<string, ProxyResponse>;
  /** The last error with a status. */
  readonly errors: ReadonlyMap<number, ProxyResponse>;
  /** Objects by resource and then by id: the last representation of each. */
  readonly objects: ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
  /** Accepted credentials, as headers in JSON, the latest last. */
  readonly authorizations: readonly string[];
  /** By resource and id: the credentials of the request that first showed the object. */
  readonly owners: ReadonlyMap<string, string>;
  /** By path: the credentials that were last accepted. */
  readonly authorizationOf: ReadonlyMap<string, string>;
}

export type JsonObject = Readonly<Record<string, Json>>;

/** The kinds of violations, in the order of the report. */
export const mutantKinds = [
  "response type",
  "response null",
  "response enum",
  "response bound",
  "response pattern",
  "response format",
  "response required",
  "response header",
  "response status",
  "response media type",
  "secret",
  "visibility",
  "request type",
  "request null",
  "request enum",
  "request bound",
  "request pattern",
  "request format",
  "request required",
  "request condition",
  "default",
  "read-only",
  "mutability",
  "reference",
  "parameter",
  "error accepted",
  "error status",
  "error field",
  "error reason",
  "security",
  "scope",
  "grant",
  "isolation",
  "rate",
  "concurrency",
  "unique",
  "length limit",
  "retention",
  "initial state",
  "transition rejected",
  "transition accepted",
  "state not reached",
  "effect create",
  "effect delete",
  "effect set",
  "effect keep",
  "frame",
  "operation",
  "not stored",
  "list",
  "filter",
  "order",
] as const;

export type MutantKind = (typeof mutantKinds)[number];

/** A statement that no proxy can violate, with the reason. */
export interface Unmutated {
  readonly requirements: readonly string[];
  readonly place: string;
  readonly reason: string;
}
