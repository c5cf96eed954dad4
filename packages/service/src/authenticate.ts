import { errors } from "@cloud-compute/server";
import type { Authenticate, Credential } from "@plumbline/server-runtime";
import type { Context } from "./context.js";
import { hashOf, longestToken } from "./credentials.js";
import type { Clock } from "./platform/clock.js";
import { isUnavailable, type Store } from "./store/store.js";
import type { Tx } from "./store/tx.js";
import type { Caller, Work } from "./work.js";

/** Finds whose a token is, by its hash; within a transaction by what that sees. */
export function authenticator(store: Store, clock: Clock): Authenticate<string, Caller, Context> {
  return (token, { context }) => {
    if (token.length > longestToken) return undefined;
    const hash = hashOf(token);
    if (context !== undefined) return credentialOf(context.work.tx, { hash });
    // What anybody sends is kept by its hash: unknown tokens fill no memory with what they say.
    const sought = { tables, key: hash, most: 10_000, now: clock.now() };
    const found = store.remember(sought, (tx) => credentialOf(tx, { hash }));
    return found instanceof Promise ? found.catch(refused) : found;
  };
}

const tables = ["tokens", "users", "accounts"] as const;

function refused(error: unknown): never {
  throw isUnavailable(error) ? errors.unavailable() : error;
}

/** A caller as it is now, in a transaction that begins later than its request. Throws where its token was revoked or has expired meanwhile. */
export async function callerNow({ tx, now }: Work, { token }: Caller): Promise<Caller> {
  const credential = await credentialOf(tx, { id: token });
  const expiry = credential?.expiry;
  if (credential === undefined || (typeof expiry === "string" && Date.parse(expiry) <= now))
    throw errors.invalidToken();
  return credential.caller;
}

async function credentialOf(
  tx: Tx,
  sought: { readonly hash: string } | { readonly id: number },
): Promise<(Credential<Caller> & { readonly expiry: string | null }) | undefined> {
  const found = await ("id" in sought ? tx.tokens.get(sought.id) : tx.tokens.first(sought));
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
