/** What names a user, an account or a client: equal for two requests of the same one. */
export type Key = string | number;

/** On whose behalf a request is made. A generated package says which of these its description needs. */
export interface Caller {
  readonly user: Key;
  /** Whose everything is that the user works with; `id` names it. */
  readonly account?: { readonly id: Key } | undefined;
  /** The program that acts for the user. */
  readonly client?: Key | undefined;
  /** A restricted user does what it holds grants for, and others everything. */
  readonly restricted?: boolean | undefined;
  /** As in the token, such as `computes:read_only,domains:read_write` or `*`. */
  readonly scopes?: string | undefined;
}

/** Why a caller was admitted. */
export interface Admission {
  /** The security scheme; absent where no credential was needed and none was sent. */
  readonly scheme?: string;
  /** The scopes that the operation wanted of it. */
  readonly wanted: readonly string[];
}

/** What a handler is told beside its input. */
export interface Call {
  /** The name of the operation. */
  readonly operation: string;
  /** Undefined for anonymous callers, where the operation admits them. */
  readonly caller: Caller | undefined;
  readonly admission: Admission;
  /** Names this request in logs; also sent to the client. */
  readonly requestId: string;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  /** When the request began, by the server's clock, in milliseconds since 1970. */
  readonly now: number;
  /** The client's address, where it is known. */
  readonly address: string | undefined;
  /** A header of the request, by name in lower case. */
  header(name: string): string | undefined;
}
