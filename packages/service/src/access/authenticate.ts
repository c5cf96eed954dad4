import type { Authenticate } from "@plumbline/server-runtime";
import type { Context } from "../context.js";
import { maxTokenCharacters } from "../options.js";
import type { Clock } from "../platform/clock.js";
import type { Store } from "../store/store.js";
import type { Caller } from "./caller.js";
import { credentialOf, hashOf } from "./credentials.js";

/** Finds the owner of a token by its hash. Within a transaction of its account it sees what the transaction sees. */
export function authenticator(store: Store, clock: Clock): Authenticate<string, Caller, Context> {
  return (token, { context }) => {
    if (token.length > maxTokenCharacters) return undefined;
    const hash = hashOf(token);
    if (context?.caller !== undefined) return credentialOf(context.work.tx, context.caller.token);
    const now = clock.now();
    // The key is the hash, so that unknown tokens of any length take the same memory.
    return store.remember({ tables, key: hash, most: 10_000 }, async () => {
      const location = await store.read({ account: null, now }, (tx) => tx.tokens.locate(hash));
      if (location === undefined) return undefined;
      return store.read({ account: location.account, now }, (tx) => credentialOf(tx, location.id));
    });
  };
}

const tables = ["tokens", "users", "accounts"] as const;
