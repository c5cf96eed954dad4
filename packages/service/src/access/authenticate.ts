import type { Authenticate } from "@plumbline/server-runtime";
import type { Context } from "../context.js";
import { maxTokenCharacters } from "../options.js";
import type { Clock } from "../platform/clock.js";
import type { Store } from "../store/store.js";
import type { Caller } from "./caller.js";
import { credentialOf, hashOf } from "./credentials.js";

/** Finds the owner of a token by its hash. Within a transaction it sees what the transaction sees. */
export function authenticator(store: Store, clock: Clock): Authenticate<string, Caller, Context> {
  return (token, { context }) => {
    if (token.length > maxTokenCharacters) return undefined;
    const hash = hashOf(token);
    if (context !== undefined) return credentialOf(context.work.tx, { hash });
    // The key is the hash, so that unknown tokens of any length take the same memory.
    const sought = { tables, key: hash, most: 10_000, now: clock.now() };
    return store.remember(sought, (tx) => credentialOf(tx, { hash }));
  };
}

const tables = ["tokens", "users", "accounts"] as const;
