import { hash, randomBytes, randomUUID, scrypt } from "node:crypto";
import { promisify } from "node:util";

/** A new token: 64 hex digits. */
export function newToken(): string {
  return randomBytes(32).toString("hex");
}

/** Characters of a token; those that are made here have 64. */
export const longestToken = 1024;

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
