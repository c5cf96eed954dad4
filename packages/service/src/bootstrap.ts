import { randomBytes } from "node:crypto";
import type { Profile } from "@cloud-compute/server";
import { firstForgetting } from "./areas/forgetting.js";
import { hashOf, newToken, shownToken } from "./credentials.js";
import { noGrants } from "./grants.js";
import { publicImages, regions } from "./platform/catalogue.js";
import type { UserRow } from "./store/rows.js";
import type { Store } from "./store/store.js";
import { iso, type Tx } from "./store/tx.js";

/** The user that an empty store begins with, and its account. */
export const admin = "admin";
export const bootstrapAccount = "bootstrap";

/** The setting that keeps what is known of the first token, so that a reset can begin with it again. */
const bootstrapToken = "token";

/** Goes back to what an empty store has. */
export async function reset(store: Store, now: number): Promise<void> {
  const token = await store.read(now, (tx) => tx.settings.only(bootstrapToken));
  await store.reset(now, (tx) => fill(tx, { hash: token.hash ?? "", shown: token.shown ?? "" }));
}

/** Fills an empty store. Gives the token of `admin` when it was made now, which is the only time that it can be told. */
export async function bootstrap(
  store: Store,
  given: { readonly token: string | undefined; readonly now: number },
): Promise<string | null> {
  const { now } = given;
  return store.write({ account: bootstrapAccount, now }, async (tx) => {
    if ((await tx.accounts.get(bootstrapAccount)) !== undefined) return null;
    const token = given.token ?? newToken();
    await fill(tx, { hash: hashOf(token), shown: shownToken(token) });
    return token;
  });
}

/** What there is on an empty store. */
export async function fill(tx: Tx, token: { readonly hash: string; readonly shown: string }): Promise<void> {
  for (const region of regions) await tx.regions.add(region);
  for (const image of publicImages) await tx.images.add(image);
  await addAccount(tx, bootstrapAccount);
  await addUser(tx, { username: admin, account: bootstrapAccount, restricted: false });
  await tx.settings.add({ id: bootstrapToken, ...token });
  await tx.tokens.add({
    user: admin,
    label: "bootstrap",
    scopes: "*",
    created: iso(tx.now),
    expiry: null,
    token: token.shown,
    hash: token.hash,
    kind: "personal",
    app: null,
    client: null,
  });
}

export async function addAccount(tx: Tx, name: string): Promise<void> {
  await tx.accounts.add({ id: name, total_payments: 0, created: iso(tx.now) });
  await tx.jobs.add(firstForgetting(name, tx.now));
}

export async function addUser(
  tx: Tx,
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
  tx: Tx,
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
