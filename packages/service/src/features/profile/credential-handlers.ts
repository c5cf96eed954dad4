import { errors, filterable, page } from "@cloud-compute/server";
import { serializeDateTime } from "@plumbline/server-runtime";
import { callerOf } from "../../access/caller.js";
import { newToken, tokenFields } from "../../access/credentials.js";
import type { TagHandlers } from "../../context.js";
import { formatDate } from "../../store/transaction.js";
import { sshKeyEntity, tokenEntity } from "../events/lifecycle.js";
import { isPublicKey } from "./ssh-public-key.js";
import { recordUserEvent, userOf } from "./users.js";

export const credentialHandlers: TagHandlers<
  | "listTokens"
  | "createToken"
  | "getToken"
  | "updateToken"
  | "deleteToken"
  | "listSSHKeys"
  | "createSSHKey"
  | "getSSHKey"
  | "updateSSHKey"
  | "deleteSSHKey"
  | "listApps"
  | "getApp"
  | "deleteApp"
  | "listDevices"
  | "getDevice"
  | "deleteDevice"
> = {
  // Tokens of apps are listed as apps. Expired tokens stay until they are deleted.
  listTokens: async ({ query, headers, listScope }, { work }) => {
    const listQuery = { query, listScope, filter: headers["X-Filter"], filterable: filterable.listTokens };
    const { items, total } = await work.tx.tokens.list({ kind: "personal" }, listQuery);
    return { status: 200, body: page(query, items, total) };
  },

  // scopes-exceed-caller: the generated server has checked it. The default for scopes are those of the caller.
  createToken: async ({ body }, context) => {
    const { work } = context;
    const user = await userOf(context);
    const expiry = body.expiry == null ? null : expiryOf(body.expiry, work.now);
    const id = await work.tx.tokens.nextId();
    const secret = newToken();
    const row = await work.tx.tokens.add({
      id,
      user: user.id,
      label: body.label ?? `token${id}`,
      scopes: body.scopes ?? callerOf(context).scopes,
      created: work.date,
      expiry,
      ...tokenFields(secret),
      kind: "personal",
      app: null,
      client: null,
    });
    // event-token-create
    await recordUserEvent(work, user, { action: "token_create", entity: tokenEntity(row) });
    // The only response with the complete token.
    return { status: 200, body: { ...row, token: secret } };
  },

  getToken: ({ target }) => ({ status: 200, body: target }),

  updateToken: async ({ target, body: { label = target.label } }, context) => {
    const { work } = context;
    if (label === target.label) return { status: 200, body: target };
    const row = await work.tx.tokens.patch(target, { label });
    // event-token-update
    await recordUserEvent(work, await userOf(context), { action: "token_update", entity: tokenEntity(row) });
    return { status: 200, body: row };
  },

  deleteToken: async ({ target }, context) => {
    const { work } = context;
    // own-token-revoked: it may be the token of this request, which is already authorized.
    await work.tx.tokens.remove([target.id]);
    // event-token-delete
    await recordUserEvent(work, await userOf(context), { action: "token_delete", entity: tokenEntity(target) });
    return { status: 200, body: {} };
  },

  listSSHKeys: async ({ query, listScope }, { work }) => {
    const { items, total } = await work.tx.sshkeys.list({}, { query, listScope });
    return { status: 200, body: page(query, items, total) };
  },

  createSSHKey: async ({ body: { label, ssh_key } }, context) => {
    const { work } = context;
    if (!isPublicKey(ssh_key)) throw errors.sshKeyUnreadable();
    const user = await userOf(context);
    const key = await work.tx.sshkeys.add({ user: user.id, label, ssh_key, created: work.date });
    // event-ssh-key-add
    await recordUserEvent(work, user, { action: "user_ssh_key_add", entity: sshKeyEntity(key) });
    return { status: 200, body: key };
  },

  getSSHKey: ({ target }) => ({ status: 200, body: target }),

  updateSSHKey: async ({ target, body: { label = target.label } }, context) => {
    const { work } = context;
    if (label === target.label) return { status: 200, body: target };
    const key = await work.tx.sshkeys.patch(target, { label });
    // event-ssh-key-update
    await recordUserEvent(work, await userOf(context), { action: "user_ssh_key_update", entity: sshKeyEntity(key) });
    return { status: 200, body: key };
  },

  deleteSSHKey: async ({ target }, context) => {
    const { work } = context;
    // installed-keys-stay: an instance has copies of the keys, and no reference to them.
    await work.tx.sshkeys.remove([target.id]);
    // event-ssh-key-delete
    await recordUserEvent(work, await userOf(context), { action: "user_ssh_key_delete", entity: sshKeyEntity(target) });
    return { status: 200, body: {} };
  },

  listApps: async ({ query, headers, listScope }, { work }) => {
    const listQuery = { query, listScope, filter: headers["X-Filter"], filterable: filterable.listApps };
    const { items, total } = await work.tx.apps.list({}, listQuery);
    return { status: 200, body: page(query, items, total) };
  },

  getApp: ({ target }) => ({ status: 200, body: target }),

  deleteApp: async ({ target: { id } }, { work }) => {
    await work.tx.apps.remove([id]);
    // app-token-ends
    await work.tx.tokens.deleteReturning({ app: id });
    return { status: 200, body: {} };
  },

  listDevices: async ({ query, listScope }, { work }) => {
    // Expiries are in whole seconds: the first one that has not passed.
    const where = { expiry: { gte: formatDate(work.now + 1000) } };
    const { items, total } = await work.tx.devices.list(where, { query, listScope });
    return { status: 200, body: page(query, items, total) };
  },

  getDevice: ({ target }) => ({ status: 200, body: target }),

  deleteDevice: async ({ target: { id } }, { work }) => {
    await work.tx.devices.remove([id]);
    return { status: 200, body: {} };
  },
};

/**
 * The expiry of a token to the second, in UTC by default.
 *
 * @throws when it is not in the future
 */
function expiryOf(sent: string, now: number): string {
  // A leap second, which clocks here do not have, becomes the second after it.
  const [, minute = "", seconds = "0"] = /^(.*T\d\d:\d\d):(\d\d)/.exec(String(serializeDateTime(sent))) ?? [];
  const time = Date.parse(`${minute}Z`) + Number(seconds) * 1000;
  if (!(time > now)) throw errors.expiryPassed();
  return formatDate(time);
}
