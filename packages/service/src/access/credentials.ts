import { hash, randomBytes, randomUUID, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { errors } from "@cloud-compute/server";
import type { AuthenticatedCaller } from "@plumbline/server-runtime";
import type { TokenRow } from "../store/rows.js";
import type { Transaction } from "../store/transaction.js";
import type { UnitOfWork } from "../unit-of-work.js";
import type { Caller } from "./caller.js";

/** A new token: 64 hex digits. */
export function newToken(): string {
  return randomBytes(32).toString("hex");
}

/** The part of a token that responses show after its creation. */
export function truncateToken(token: string): string {
  return token.slice(0, 16);
}

/** The stored form of a token or of a single-use code. Tokens are random, so a fast hash is enough. */
export function hashOf(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** The stored form of a token, and the part of it that responses show. */
export function tokenFields(secret: string): Pick<TokenRow, "token" | "hash"> {
  return { token: truncateToken(secret), hash: hashOf(secret) };
}

const derive = promisify<
  string,
  Buffer,
  number,
  { readonly N: number; readonly r: number; readonly p: number },
  Buffer
>(scrypt);

/** The stored form of a password. No operation logs in with one, so the work factor is small. */
export async function passwordHash(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, 32, { N: 2048, r: 8, p: 1 });
  return `scrypt$2048$8$1$${salt.toString("base64")}$${key.toString("base64")}`;
}

/** A new id for the host machine of an instance. */
export function newHost(): string {
  return randomUUID();
}

/**
 * Reads a caller again in a transaction that begins later than its request.
 *
 * @throws when the token was revoked or has expired meanwhile
 */
export async function callerNow({ tx, now }: UnitOfWork, { token }: Caller): Promise<Caller> {
  const credential = await credentialOf(tx, token);
  const expiry = credential?.expiresAt;
  if (credential === undefined || (typeof expiry === "string" && Date.parse(expiry) <= now))
    throw errors.invalidToken();
  return credential.caller;
}

/** Finds the owner of a token by its id. */
export async function credentialOf(
  tx: Transaction,
  id: number,
): Promise<(AuthenticatedCaller<Caller> & { readonly expiresAt: string | null }) | undefined> {
  const rows = await tx.tokens.getWith(id, { users: "user", accounts: "account" });
  if (rows === undefined) return undefined;
  const [token, { users: user, accounts: account }] = rows;
  const caller: Caller = {
    user: user.id,
    account: { id: account.id, total_payments: account.total_payments },
    client: token.client ?? undefined,
    restricted: user.profile.restricted,
    scopes: token.scopes,
    token: token.id,
  };
  return { caller, expiresAt: token.expiry };
}
