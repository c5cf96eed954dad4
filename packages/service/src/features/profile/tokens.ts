import { errors, filterable, page, type EventEntity } from "@cloud-compute/server";
import { serializeDateTime } from "@plumbline/server-runtime";
import type { TagHandlers } from "../../context.js";
import { hashOf, newToken, truncateToken } from "../../access/credentials.js";
import type { TokenRow } from "../../store/rows.js";
import { formatDate } from "../../store/transaction.js";
import { callerOf } from "../../unit-of-work.js";
import { recordUserEvent, userOf } from "./users.js";

export const tokenHandlers: TagHandlers<"listTokens" | "createToken" | "getToken" | "updateToken" | "deleteToken"> = {
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
      token: truncateToken(secret),
      hash: hashOf(secret),
      kind: "personal",
      app: null,
      client: null,
    });
    // event-token-create
    await recordUserEvent(work, user, { action: "token_create", entity: entityOf(row) });
    // The only response with the complete token.
    return { status: 200, body: { ...row, token: secret } };
  },

  getToken: ({ target }) => ({ status: 200, body: target }),

  updateToken: async ({ target, body: { label = target.label } }, context) => {
    const { work } = context;
    if (label === target.label) return { status: 200, body: target };
    const row = await work.tx.tokens.patch(target, { label });
    // event-token-update
    await recordUserEvent(work, await userOf(context), { action: "token_update", entity: entityOf(row) });
    return { status: 200, body: row };
  },

  deleteToken: async ({ target }, context) => {
    const { work } = context;
    // own-token-revoked: it may be the token of this request, which is already authorized.
    await work.tx.tokens.remove([target.id]);
    // event-token-delete
    await recordUserEvent(work, await userOf(context), { action: "token_delete", entity: entityOf(target) });
    return { status: 200, body: {} };
  },
};

function entityOf({ id, label }: TokenRow): EventEntity {
  return { id, label, type: "token", url: `/v4/profile/tokens/${id}` };
}

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
