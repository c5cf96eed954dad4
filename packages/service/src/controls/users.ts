import { newToken, tokenFields } from "../access/credentials.js";
import { entityKinds, noGrants, type EntityKind } from "../access/grants.js";
import { addAccount, addUser, admin, bootstrapAccount } from "../bootstrap.js";
import { grantsResponse, sessionEnd } from "../features/profile/lifecycle.js";
import { errors } from "../gen/errors.js";
import type { UserRow } from "../store/rows.js";
import { formatDate, type Transaction } from "../store/transaction.js";
import type { ControlHandlers, Controls } from "./context.js";

/** Users, their grants and credentials, and the messages to them. */
export function users({
  store,
  clock,
}: Controls): ControlHandlers<
  "createUser" | "setGrants" | "createUserToken" | "listMessages" | "createApp" | "createDevice" | "createLogin"
> {
  /** Runs in the account of an existing user. */
  const of = async <T>(username: string, run: (tx: Transaction, user: UserRow) => Promise<T>): Promise<T> => {
    const now = clock.now();
    const known = await store.read(now, (tx) => tx.users.get(username));
    if (known === undefined) throw errors.notFound();
    return store.write({ account: known.account, now }, async (tx) => run(tx, await tx.users.getOrThrow(username)));
  };
  return {
    createUser: ({ body: { username, restricted, account = bootstrapAccount } }) =>
      store.write({ account, now: clock.now() }, async (tx) => {
        if ((await tx.users.get(username)) !== undefined)
          throw errors.invalidRequest({ field: "username", reason: "There is a user of this name" });
        if ((await tx.accounts.get(account)) === undefined) await addAccount(tx, account);
        await addUser(tx, { username, account, restricted });
        return { status: 201, body: { username, account } };
      }),

    setGrants: ({ path: { username }, body }) =>
      of(username, async (tx, user) => {
        const grants = { ...noGrants, global: { ...noGrants.global, ...body.global } };
        for (const kind of Object.keys(entityKinds) as EntityKind[]) {
          const entries = (body[kind] ?? []).filter(({ permissions }) => permissions !== null);
          grants[kind] = entries.map(({ id, label, permissions }) => ({
            id,
            label: label ?? "",
            permissions: permissions ?? "read_only",
          }));
        }
        // Drops grants on missing objects and on those of other accounts.
        const held = await grantsResponse({ tx }, { ...user, grants });
        await tx.users.update({ ...user, grants: held });
        return { status: 200, body: held };
      }),

    createUserToken: ({ path: { username }, body: { scopes, label = "test", expiry, client } }) =>
      of(username, async (tx) => {
        const secret = newToken();
        const { id } = await tx.tokens.add({
          user: username,
          label,
          scopes,
          created: formatDate(tx.now),
          expiry: expiry === undefined ? null : formatDate(Date.parse(withZone(expiry))),
          ...tokenFields(secret),
          kind: "personal",
          app: null,
          client: client ?? null,
        });
        return { status: 201, body: { id, token: secret } };
      }),

    listMessages: ({ query: { to } }) =>
      store.read(clock.now(), async (tx) => {
        const found = await tx.messages.find(to === undefined ? {} : { to });
        return { status: 200, body: { data: found.toReversed() } };
      }),

    createApp: ({ body: { label, scopes, username = admin } }) =>
      of(username, async (tx) => {
        const secret = newToken();
        const created = formatDate(tx.now);
        const app = await tx.apps.add({
          user: username,
          label,
          scopes,
          created,
          expiry: null,
          thumbnail_url: "https://apps.cloud-compute.example/thumbnail.png",
          website: "https://apps.cloud-compute.example/",
        });
        await tx.tokens.add({
          user: username,
          label,
          scopes,
          created,
          expiry: null,
          ...tokenFields(secret),
          kind: "app",
          app: app.id,
          client: `app ${app.id}`,
        });
        return { status: 201, body: { id: app.id, token: secret } };
      }),

    createDevice: ({ body: { user_agent, username = admin } }) =>
      of(username, async (tx) => {
        const created = formatDate(tx.now);
        const { id } = await tx.devices.add({
          user: username,
          created,
          expiry: formatDate(sessionEnd(tx.now)),
          last_authenticated: created,
          last_remote_addr: "203.0.113.1",
          user_agent,
        });
        return { status: 201, body: { id } };
      }),

    createLogin: ({ body: { ip, username = admin, datetime } }) =>
      of(username, async (tx, { profile: { restricted } }) => {
        const time = datetime === undefined ? tx.now : Date.parse(withZone(datetime));
        const { id } = await tx.logins.add({ user: username, datetime: formatDate(time), ip, restricted, username });
        return { status: 201, body: { id } };
      }),
  };
}

/** A time without a zone is in UTC. */
function withZone(text: string): string {
  return /(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`;
}
