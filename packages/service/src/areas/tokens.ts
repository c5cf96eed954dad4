import { errors, filterable, page, type EventEntity } from "@cloud-compute/server";
import { dateTime } from "@plumbline/server-runtime";
import type { Area } from "../context.js";
import { hashOf, newToken, shownToken } from "../credentials.js";
import type { TokenRow } from "../store/rows.js";
import { iso } from "../store/tx.js";
import { callerOf } from "../work.js";
import { tellOf, userOf } from "./users.js";

export const tokens: Area<"listTokens" | "createToken" | "getToken" | "updateToken" | "deleteToken"> = {
  // Those of apps are shown as apps. Expired ones stay until they are deleted.
  listTokens: async ({ query, headers, visible }, { work }) => {
    const wish = { query, visible, filter: headers["X-Filter"], filterable: filterable.listTokens };
    const { items, total } = await work.tx.tokens.list({ kind: "personal" }, wish);
    return { status: 200, body: page(query, items, total) };
  },

  // scopes-exceed-caller is refused before; without scopes the body has those of the caller.
  createToken: async ({ body }, context) => {
    const { work } = context;
    const user = await userOf(context);
    const expiry = body.expiry == null ? null : expiryOf(body.expiry, work.now);
    const id = await work.tx.tokens.nextId();
    const made = newToken();
    const row = await work.tx.tokens.add({
      id,
      user: user.id,
      label: body.label ?? `token${id}`,
      scopes: body.scopes ?? callerOf(context).scopes,
      created: work.date,
      expiry,
      token: shownToken(made),
      hash: hashOf(made),
      kind: "personal",
      app: null,
      client: null,
    });
    // event-token-create
    await tellOf(work, user, { action: "token_create", entity: entityOf(row) });
    // This is the only time that it is there in full.
    return { status: 200, body: { ...row, token: made } };
  },

  getToken: ({ target }) => ({ status: 200, body: target }),

  updateToken: async ({ target, body: { label = target.label } }, context) => {
    const { work } = context;
    if (label === target.label) return { status: 200, body: target };
    const row = await work.tx.tokens.change(target, { label });
    // event-token-update
    await tellOf(work, await userOf(context), { action: "token_update", entity: entityOf(row) });
    return { status: 200, body: row };
  },

  deleteToken: async ({ target }, context) => {
    const { work } = context;
    // own-token-revoked: it may be that of this request, which was admitted already.
    await work.tx.tokens.remove([target.id]);
    // event-token-delete
    await tellOf(work, await userOf(context), { action: "token_delete", entity: entityOf(target) });
    return { status: 200, body: {} };
  },
};

function entityOf({ id, label }: TokenRow): EventEntity {
  return { id, label, type: "token", url: `/v4/profile/tokens/${id}` };
}

/** When a token ends, to the second, in UTC where no zone is named. Throws a Refused for what is over. */
function expiryOf(sent: string, now: number): string {
  // A leap second, which clocks here do not have, is the second after it.
  const [, minute = "", seconds = "0"] = /^(.*T\d\d:\d\d):(\d\d)/.exec(String(dateTime(sent))) ?? [];
  const time = Date.parse(`${minute}Z`) + Number(seconds) * 1000;
  if (!(time > now)) throw errors.expiryPassed();
  return iso(time);
}
