import { hash, randomBytes, randomUUID, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { errors } from "@cloud-compute/server";
import type { Credential } from "@plumbline/server-runtime";
import type { Tx } from "./store/tx.js";
import type { Caller, Work } from "./work.js";

/** A new token: 64 hex digits. */
export function newToken(): string {
  return randomBytes(32).toString("hex");
}

/** What of a token is shown after it was made. */
export function shownToken(token: string): string {
  return token.slice(0, 16);
}

/** What is stored of a token, or of a code that is good once. Tokens are random, so that a fast hash is enough. */
export function hashOf(secret: string): string {
  return hash("sha256", secret, "hex");
}

const derive = promisify<
  string,
  Buffer,
  number,
  { readonly N: number; readonly r: number; readonly p: number },
  Buffer
>(scrypt);

/**
 * What is stored of a password, which nobody logs in with here. The work factor is small, since it is computed while other writes of the account wait.
 */
export async function passwordHash(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, 32, { N: 2048, r: 8, p: 1 });
  return `scrypt$2048$8$1$${salt.toString("base64")}$${key.toString("base64")}`;
}

/** The host machine of an instance. */
export function newHost(): string {
  return randomUUID();
}

/** A caller as it is now, in a transaction that begins later than its request. Throws where its token was revoked or has expired meanwhile. */
export async function callerNow({ tx, now }: Work, { token }: Caller): Promise<Caller> {
  const credential = await credentialOf(tx, { id: token });
  const expiry = credential?.expiry;
  if (credential === undefined || (typeof expiry === "string" && Date.parse(expiry) <= now))
    throw errors.invalidToken();
  return credential.caller;
}

/** Whose a token is that is found by its hash or its id. */
export async function credentialOf(
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
