const brand: unique symbol = Symbol.for("plumbline OAuth2Error");

export interface OAuth2ErrorInit {
  readonly code: "http" | "network" | "response";
  /** The token endpoint, without its query. */
  readonly url: string;
  readonly status?: number;
  /** The `error` of the response. */
  readonly error?: string | undefined;
  /** Ends the message. */
  readonly text: string;
  readonly cause?: unknown;
}

/** The error of a request for tokens. Recognize it with `isOAuth2Error`. Its message has no secrets and no tokens. */
export class OAuth2Error extends Error {
  /** `http`: an error response. `network`: no complete response. `response`: a successful response without a bearer token. */
  declare readonly code: OAuth2ErrorInit["code"];
  /** The HTTP status. 0 without a response. */
  declare readonly status: number;
  /** The `error` of RFC 6749, section 5.2. With `invalid_grant`, the refresh token is no longer valid: the user has to sign in again. */
  declare readonly error: string | undefined;

  override get name(): string {
    return "OAuth2Error";
  }

  constructor({ code, url, status = 0, error, text, cause }: OAuth2ErrorInit) {
    super(`POST ${url}: ${status === 0 ? "" : `${status} `}${text}`, { cause });
    Object.assign(this, { code, status, error });
    Object.defineProperties(this, { [brand]: {} });
  }
}

/** Returns true for an `OAuth2Error`, also for one of another copy of this package. */
export function isOAuth2Error(value: unknown): value is OAuth2Error {
  return typeof value === "object" && value !== null && brand in value;
}
