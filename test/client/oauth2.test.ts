import { createClient, createOAuth2, getProfile, isOAuth2Error, type OAuth2Tokens } from "@cloud-compute/client";
import { OAuth2Server } from "oauth2-mock-server";
import { expect, onTestFinished, test } from "vitest";
import { startLoopback, type Loopback } from "../support/loopback.js";

/** An authorization server that is not ours: it signs its tokens. */
async function startAuthority(): Promise<{ readonly tokenUrl: string; readonly server: OAuth2Server }> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("RS256");
  await server.start(0, "127.0.0.1");
  onTestFinished(() => server.stop());
  return { tokenUrl: `http://127.0.0.1:${server.address().port}/token`, server };
}

async function startApi(): Promise<Loopback> {
  const api = await startLoopback();
  onTestFinished(() => api.close());
  api.answer({ status: 200, headers: { "content-type": "application/json" }, body: "{}" });
  return api;
}

/** The claims of the token that the last request had. */
function claimsOf(api: Loopback): Readonly<Record<string, unknown>> {
  const [, claims = ""] = (api.last().headers["authorization"] ?? "").replace("Bearer ", "").split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as Readonly<Record<string, unknown>>;
}

test("a program gets tokens for its own credentials", async () => {
  const { tokenUrl } = await startAuthority();
  const api = await startApi();
  const oauth2 = createOAuth2({ tokenUrl, clientId: "reports", clientSecret: "s3cret", scopes: ["account:read_only"] });
  await getProfile(createClient({ ...oauth2, baseUrl: api.url }));
  expect(claimsOf(api)).toMatchObject({ scope: "account:read_only" });
});

test("a user's tokens are renewed with its refresh token", async () => {
  const { tokenUrl } = await startAuthority();
  const api = await startApi();
  const stored: OAuth2Tokens[] = [];
  const oauth2 = createOAuth2({
    tokenUrl,
    clientId: "app",
    tokens: { accessToken: "old", refreshToken: "refresh-1", expiresAt: 0 },
    onTokens: (tokens) => void stored.push(tokens),
  });
  await getProfile(createClient({ ...oauth2, baseUrl: api.url }));
  expect(api.last().headers["authorization"]).toBe(`Bearer ${stored[0]?.accessToken}`);
  expect(stored[0]?.refreshToken).toMatch(/./);
});

test("a rejected refresh token says so", async () => {
  const { tokenUrl, server } = await startAuthority();
  const api = await startApi();
  server.service.once("beforeResponse", (response) => {
    response.statusCode = 400;
    response.body = { error: "invalid_grant" };
  });
  const oauth2 = createOAuth2({
    tokenUrl,
    clientId: "app",
    tokens: { accessToken: "old", refreshToken: "refresh-1", expiresAt: 0 },
  });
  const error: unknown = await getProfile(createClient({ ...oauth2, baseUrl: api.url })).catch((each: unknown) => each);
  expect(isOAuth2Error(error) && error.error).toBe("invalid_grant");
});
