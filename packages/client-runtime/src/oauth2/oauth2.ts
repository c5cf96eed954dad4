import type { Fetch } from "../operation.js";
import { checkTokenUrl, requestTokens, type TokenEndpoint } from "./token-endpoint.js";

/** The tokens of a user or of a client. */
export interface OAuth2Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Milliseconds since 1970. Absent if it is not known. */
  readonly expiresAt?: number | undefined;
}

/** Options of `createOAuth2`. */
export interface OAuth2Options extends TokenEndpoint {
  /** The scopes to request. Default: those that the server chooses, or those of the refresh token. */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Tokens of a user, from a sign-in or from `onTokens`. With a refresh token, new tokens come from it; without, from the client's own
   * credentials (grant `client_credentials`).
   */
  readonly tokens?: OAuth2Tokens | undefined;
  /** Stores new tokens. Awaited before they are used, since a server may accept a refresh token only once. */
  readonly onTokens?: ((tokens: OAuth2Tokens) => void | Promise<void>) | undefined;
  /**
   * Seconds before its end at which an access token is replaced; at most half of its lifetime.
   *
   * @defaultValue 30
   */
  readonly marginSeconds?: number | undefined;
}

/** The options `token` and `fetch` of a client. */
export interface OAuth2 {
  /** Returns an access token that is valid for a while. Calls that wait for a new one share one request. */
  readonly token: () => Promise<string>;
  /** Sends requests. After a 401 it requests a new token, and repeats the request once. */
  readonly fetch: Fetch;
}

/**
 * Obtains access tokens by the grants `client_credentials` and `refresh_token` of OAuth 2 (RFC 6749).
 *
 * Calls fail with an `OAuth2Error` when there is no token to be had.
 *
 * @param options the token endpoint, the client, and the tokens of a user if there is one
 * @throws TypeError for an address that is not encrypted
 *
 * @example
 * const oauth2 = createOAuth2({ tokenUrl: "https://id.example/token", clientId: "reports", clientSecret: secret });
 * const client = createClient({ ...oauth2 });
 */
export function createOAuth2(options: OAuth2Options): OAuth2 {
  const endpoint: TokenEndpoint = { ...options, tokenUrl: checkTokenUrl(options.tokenUrl) };
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  let current = options.tokens;
  let pending: Promise<OAuth2Tokens> | undefined;

  const renew = async (): Promise<OAuth2Tokens> => {
    const renewed = await renewTokens(endpoint, options.scopes, current?.refreshToken);
    await options.onTokens?.(renewed);
    use(renewed);
    return renewed;
  };

  /** The access token in use, and the one before, which requests may still have. */
  let issued: readonly string[] = [];
  let replaceAt = 0;
  const use = (tokens: OAuth2Tokens): void => {
    current = tokens;
    issued = [tokens.accessToken, ...issued].slice(0, 2);
    replaceAt = replacementTime(tokens, options.marginSeconds);
  };
  if (current !== undefined) use(current);

  /** A new token in place of one that is at its end, or that the server has rejected. */
  const tokenOtherThan = async (rejected: string | undefined): Promise<string> => {
    if (current?.accessToken === rejected) replaceAt = 0;
    if (current !== undefined && Date.now() < replaceAt) return current.accessToken;
    pending ??= renew().finally(() => (pending = undefined));
    return (await pending).accessToken;
  };

  return {
    token: () => tokenOtherThan(undefined),
    fetch: async (url, init) => {
      const response = await send(url, init);
      const headers = new Headers(init.headers);
      const [, sent] = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "") ?? [];
      // A stream is sent once.
      if (response.status !== 401 || !sent || !issued.includes(sent) || init.body instanceof ReadableStream)
        return response;
      // Without a new token, the response says why the call failed. The next call requests one again.
      const token = await tokenOtherThan(sent).catch(() => undefined);
      if (token === undefined) return response;
      await response.body?.cancel();
      headers.set("authorization", `Bearer ${token}`);
      return send(url, { ...init, headers });
    },
  };
}

/** Without a refresh token, the tokens are those of the client itself. */
async function renewTokens(
  endpoint: TokenEndpoint,
  scopes: readonly string[] = [],
  refreshToken?: string,
): Promise<OAuth2Tokens> {
  const {
    accessToken,
    refreshToken: replacement = refreshToken,
    expiresIn,
  } = await requestTokens(endpoint, {
    ...(refreshToken === undefined
      ? { grant_type: "client_credentials" }
      : { grant_type: "refresh_token", refresh_token: refreshToken }),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
  });
  return {
    accessToken,
    // A server may keep the refresh token. Without one before, there is none to use.
    refreshToken: refreshToken === undefined ? undefined : replacement,
    expiresAt: expiresIn === undefined ? undefined : Date.now() + expiresIn * 1000,
  };
}

function replacementTime({ expiresAt }: OAuth2Tokens, marginSeconds = 30): number {
  if (expiresAt === undefined) return Infinity;
  const lifetimeMs = expiresAt - Date.now();
  return expiresAt - Math.min(marginSeconds * 1000, lifetimeMs / 2);
}
