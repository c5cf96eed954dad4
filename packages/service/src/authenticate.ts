import type { Authenticate } from "@plumbline/server-runtime";
import type { Context } from "./context.js";
import { credentialOf, hashOf } from "./credentials.js";
import { longestToken } from "./options.js";
import type { Clock } from "./platform/clock.js";
import type { Store } from "./store/store.js";
import type { Caller } from "./work.js";

/** Finds whose a token is, by its hash; within a transaction by what that sees. */
export function authenticator(store: Store, clock: Clock): Authenticate<string, Caller, Context> {
  return (token, { context }) => {
    if (token.length > longestToken) return undefined;
    const hash = hashOf(token);
    if (context !== undefined) return credentialOf(context.work.tx, { hash });
    // What anybody sends is kept by its hash: unknown tokens fill no memory with what they say.
    const sought = { tables, key: hash, most: 10_000, now: clock.now() };
    return store.remember(sought, (tx) => credentialOf(tx, { hash }));
  };
}

const tables = ["tokens", "users", "accounts"] as const;
