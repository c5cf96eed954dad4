/** The id of a user, an account or a client. Equal in two requests of the same one. */
export type EntityId = string | number;

/** The authenticated caller of a request. A generated package narrows this type to what its description needs. */
export interface Caller {
  readonly user: EntityId;
  /** The OAuth client that acts for the user. */
  readonly client?: EntityId | undefined;
  /** Scopes as the token lists them, such as `computes:read_only,domains:read_write` or `*`. */
  readonly scopes?: string | undefined;
}

/** How a caller was authenticated. */
export interface AuthInfo {
  /** The security scheme. Absent if the operation needs no credential and the client sent none. */
  readonly scheme?: string;
  /** The scopes that the operation requires of this scheme. */
  readonly requiredScopes: readonly string[];
}

/** The context of one request, which handlers receive beside their input. */
export interface RequestContext {
  /** The name of the operation. */
  readonly operation: string;
  /** Undefined for anonymous callers, if the operation allows them. */
  readonly caller: Caller | undefined;
  readonly auth: AuthInfo;
  /** Identifies this request in logs. Also sent to the client. */
  readonly requestId: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Start of the request by the server's clock, in milliseconds since 1970. */
  readonly now: number;
  /** The client's address, if the adapter knows it. */
  readonly address: string | undefined;
  /** Returns a header of the request by its lower-case name. */
  header(name: string): string | undefined;
}
