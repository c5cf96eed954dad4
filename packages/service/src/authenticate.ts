import { errors } from "@cloud-compute/server";
import type { Credential } from "@plumbline/server-runtime";
import { hashOf } from "./credentials.js";
import type { Clock } from "./platform/clock.js";
import { isUnavailable, type Store } from "./store/store.js";
import type { Tx } from "./store/tx.js";
import type { Caller } from "./work.js";

/** Finds whose a token is, by its hash. */
export function authenticator(store: Store, clock: Clock): (token: string) => Promise<Credential<Caller> | undefined> {
  return async (token) => {
    try {
      const hash = hashOf(token);
      return await store.read(clock.now(), (tx) =>
        tx.remember({ tables: ["tokens", "users", "accounts"], key: hash }, () => credentialOf(tx, hash)),
      );
    } catch (error) {
      throw isUnavailable(error) ? errors.unavailable() : error;
    }
  };
}

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
