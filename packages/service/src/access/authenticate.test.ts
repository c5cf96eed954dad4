import { UsageError } from "@plumbline/command-line";
import type { AuthenticationRequest } from "@plumbline/server-runtime";
import { expect, onTestFinished, test } from "vitest";
import { bootstrap } from "../bootstrap.js";
import { maxTokenCharacters, optionsOf } from "../options.js";
import { clockOf } from "../platform/clock.js";
import { openSqlite } from "../store/sqlite.js";
import type { Store } from "../store/store.js";
import { authenticator } from "./authenticate.js";

const asking: AuthenticationRequest<never> = {
  operation: "getProfile",
  requestId: "r",
  now: 0,
  address: undefined,
  header: () => undefined,
};

test("caches known and unknown tokens by their hashes, and looks up no token that is too long", async () => {
  const store = await openSqlite(":memory:");
  onTestFinished(() => store.close());
  const [token, long] = ["a".repeat(maxTokenCharacters), "b".repeat(maxTokenCharacters + 1)];
  await bootstrap(store, { token, now: Date.now() });
  const keys: string[] = [];
  const remember: Store["remember"] = (sought, find) => {
    keys.push(sought.key);
    return store.remember(sought, find);
  };
  const authenticate = authenticator({ ...store, remember }, await clockOf(store));
  for (let each = 0; each < 2; each += 1) expect(await authenticate(token, asking)).toMatchObject({ expiresAt: null });
  expect(await authenticate("unknown", asking)).toBeUndefined();
  expect(await authenticate("b".repeat(maxTokenCharacters), asking)).toBeUndefined();
  expect(await authenticate(long, asking)).toBeUndefined();
  expect(keys).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^[0-9a-f]{64}$/) as unknown));
});

test("the first token has 1024 characters at most", () => {
  expect(optionsOf([], { CLOUD_COMPUTE_TOKEN: "t".repeat(maxTokenCharacters) }).token).toHaveLength(maxTokenCharacters);
  expect(() => optionsOf([], { CLOUD_COMPUTE_TOKEN: "t".repeat(maxTokenCharacters + 1) })).toThrow(UsageError);
});
