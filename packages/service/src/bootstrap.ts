import { randomBytes } from "node:crypto";
import type { Profile } from "@cloud-compute/server";
import { hashOf, newToken, truncateToken } from "./access/credentials.js";
import { noGrants } from "./access/grants.js";
import { publicImages, regions } from "./platform/catalogue.js";
import { planFirstPurge } from "./platform/purge-expired.js";
import type { UserRow } from "./store/rows.js";
import type { Store } from "./store/store.js";
import { formatDate, type Transaction } from "./store/transaction.js";

/** The user of an empty store, and its account. */
export const admin = "admin";
export const bootstrapAccount = "bootstrap";

/** The setting that stores the first token's hash, so that a reset can restore the token. */
const bootstrapToken = "token";

/** Restores the initial content of a store. */
export async function reset(store: Store, now: number): Promise<void> {
  const token = await store.read({ account: null, now }, (tx) => tx.settings.getOrThrow(bootstrapToken));
  await store.reset({ account: bootstrapAccount, now }, (tx) =>
    fill(tx, { hash: token.hash ?? "", prefix: token.prefix ?? "" }),
  );
}

/** Fills an empty store. Returns the token of `admin` if this call created it: only its hash is stored. */
export async function bootstrap(
  store: Store,
  options: { readonly token: string | undefined; readonly now: number },
): Promise<string | null> {
  const { now } = options;
  return store.write({ account: bootstrapAccount, now }, async (tx) => {
    if ((await tx.accounts.get(bootstrapAccount)) !== undefined) return null;
    const token = options.token ?? newToken();
    await fill(tx, { hash: hashOf(token), prefix: truncateToken(token) });
    return token;
  });
}

/** Inserts the initial content of a store. */
export async function fill(tx: Transaction, token: { readonly hash: string; readonly prefix: string }): Promise<void> {
  for (const region of regions) await tx.regions.add(region);
  for (const image of publicImages) await tx.public_images.add(image);
  await addAccount(tx, bootstrapAccount);
  await addUser(tx, { username: admin, account: bootstrapAccount, restricted: false });
  await tx.settings.add({ id: bootstrapToken, ...token });
  await tx.tokens.add({
    user: admin,
    label: "bootstrap",
    scopes: "*",
    created: formatDate(tx.now),
    expiry: null,
    token: token.prefix,
    hash: token.hash,
    kind: "personal",
    app: null,
    client: null,
  });
}

export async function addAccount(tx: Transaction, name: string): Promise<void> {
  await tx.accounts.add({ id: name, total_payments: 0, created: formatDate(tx.now) });
  await tx.jobs.add(planFirstPurge(name, tx.now));
}

export async function addUser(
  tx: Transaction,
  user: { readonly username: string; readonly account: string; readonly restricted: boolean },
): Promise<UserRow> {
  const { username, account, restricted } = user;
  return tx.users.add({
    id: username,
    account,
    profile: await newProfile(tx, { username, restricted }),
    grants: noGrants,
    answers: {},
    phone: null,
    twoFactor: { state: "disabled", secret: null, expires: null, scratchHash: null },
  });
}

async function newProfile(
  tx: Transaction,
  { username, restricted }: Pick<Profile, "username" | "restricted">,
): Promise<Profile> {
  const code = randomBytes(20).toString("hex");
  return {
    uid: await tx.nextId("users"),
    username,
    email: `${username.replace(/[^A-Za-z0-9._-]/g, "-")}@example.com`,
    email_notifications: true,
    timezone: "UTC",
    restricted,
    two_factor_auth: false,
    ip_whitelist_enabled: false,
    lish_auth_method: "password_keys",
    authorized_keys: null,
    authentication_type: "password",
    verified_phone_number: null,
    referrals: {
      code,
      completed: 0,
      credit: 0,
      pending: 0,
      total: 0,
      url: `https://www.cloud-compute.example/?r=${code}`,
    },
  };
}
