import type { Authenticate, Credential } from "@plumbline/server-runtime";
import { hashOf } from "./credentials.js";
import type { Clock } from "./platform/clock.js";
import type { Store } from "./store/store.js";
import type { Tx } from "./store/tx.js";
import type { Caller } from "./work.js";

/** Finds whose a token is, by its hash. */
export function authenticator(store: Store, clock: Clock): Authenticate<string, Caller> {
  return (token) => {
    const sought = { tables, key: token, most: 10_000, now: clock.now() };
    return store.remember(sought, (tx) => credentialOf(tx, hashOf(token)));
  };
}

const tables = ["tokens", "users", "accounts"] as const;

async function credentialOf(tx: Tx, hash: string): Promise<Credential<Caller> | undefined> {
  const found = await tx.tokens.first({ hash });
  const user = found && (await tx.users.get(found.user));
  const account = user && (await tx.accounts.get(user.account));
  if (found === undefined || user === undefined || account === undefined) return undefined;
  const caller: Caller = {
    user: user.id,
    account: { id: account.id, total_payments: account.total_payments },
    client: found.client ?? undefined,
    restricted: user.profile.restricted,
    scopes: found.scopes,
    token: found.id,
  };
  return { caller, expiry: found.expiry };
}
