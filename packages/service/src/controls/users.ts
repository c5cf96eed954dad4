import { newToken, tokenFields } from "../access/credentials.js";
import { entityKinds, noGrants, type EntityKind } from "../access/grants.js";
import { addAccount, addUser, admin, bootstrapAccount } from "../bootstrap.js";
import { grantsResponse, sessionEnd } from "../features/profile/lifecycle.js";
import { errors } from "../gen/errors.js";
import type { CreateAppHandlerInput, CreateUserTokenHandlerInput, SetGrantsHandlerInput } from "../gen/handlers.js";
import type { CreatedCredential, Grants } from "../gen/types.js";
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
  const writeFor = async <T>(username: string, run: (tx: Transaction, user: UserRow) => Promise<T>): Promise<T> => {
    const now = clock.now();
    const location = await store.read({ account: null, now }, (tx) => tx.users.locate(username));
    if (location === undefined) throw errors.notFound();
    return store.write({ account: location.account, now }, async (tx) => run(tx, await tx.users.getOrThrow(username)));
  };
  return {
    createUser: async ({ body: { username, restricted, account = bootstrapAccount } }) => {
      await store.write({ account, now: clock.now() }, (tx) => createUser(tx, { username, account, restricted }));
      return { status: 201, body: { username, account } };
    },

    setGrants: async ({ path: { username }, body }) => ({
      status: 200,
      body: await writeFor(username, (tx, user) => setGrants(tx, user, body)),
    }),

    createUserToken: async ({ path: { username }, body }) => ({
      status: 201,
      body: await writeFor(username, (tx) => createToken(tx, username, body)),
    }),

    listMessages: ({ query: { to } }) =>
      store.survey(clock.now(), async (tx) => {
        const messages = await tx.messages.find(to === undefined ? {} : { to });
        return { status: 200, body: { data: messages.toReversed() } };
      }),

    createApp: async ({ body: { username = admin, ...app } }) => ({
      status: 201,
      body: await writeFor(username, (tx) => createApp(tx, username, app)),
    }),

    createDevice: ({ body: { user_agent, username = admin } }) =>
      writeFor(username, async (tx) => {
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
      writeFor(username, async (tx, { profile: { restricted } }) => {
        const time = datetime === undefined ? tx.now : Date.parse(withZone(datetime));
        const { id } = await tx.logins.add({ user: username, datetime: formatDate(time), ip, restricted, username });
        return { status: 201, body: { id } };
      }),
  };
}

async function createUser(tx: Transaction, user: Parameters<typeof addUser>[1]): Promise<void> {
  if ((await tx.users.locate(user.username)) !== undefined)
    throw errors.invalidRequest({ field: "username", reason: "There is a user of this name" });
  if ((await tx.accounts.get(user.account)) === undefined) await addAccount(tx, user.account);
  await addUser(tx, user);
}

/** Drops grants on missing objects and on those of other accounts. */
async function setGrants(tx: Transaction, user: UserRow, body: SetGrantsHandlerInput["body"]): Promise<Grants> {
  const requested = { ...noGrants, global: { ...noGrants.global, ...body.global } };
  for (const kind of Object.keys(entityKinds) as EntityKind[])
    requested[kind] = (body[kind] ?? []).flatMap(({ id, label, permissions }) =>
      permissions === null ? [] : [{ id, label: label ?? "", permissions: permissions ?? "read_only" }],
    );
  const grants = await grantsResponse({ tx }, { ...user, grants: requested });
  await tx.users.update({ ...user, grants });
  return grants;
}

async function createToken(
  tx: Transaction,
  user: string,
  { scopes, label = "test", expiry, client }: CreateUserTokenHandlerInput["body"],
): Promise<CreatedCredential> {
  const secret = newToken();
  const { id } = await tx.tokens.add({
    user,
    label,
    scopes,
    created: formatDate(tx.now),
    expiry: expiry === undefined ? null : formatDate(Date.parse(withZone(expiry))),
    ...tokenFields(secret),
    kind: "personal",
    app: null,
    client: client ?? null,
  });
  return { id, token: secret };
}

async function createApp(
  tx: Transaction,
  user: string,
  { label, scopes }: CreateAppHandlerInput["body"],
): Promise<CreatedCredential> {
  const secret = newToken();
  const fields = { user, label, scopes, created: formatDate(tx.now), expiry: null };
  const { id } = await tx.apps.add({
    ...fields,
    thumbnail_url: "https://apps.cloud-compute.example/thumbnail.png",
    website: "https://apps.cloud-compute.example/",
  });
  await tx.tokens.add({ ...fields, ...tokenFields(secret), kind: "app", app: id, client: `app ${id}` });
  return { id, token: secret };
}

/** A time without a zone is in UTC. */
function withZone(text: string): string {
  return /(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`;
}
