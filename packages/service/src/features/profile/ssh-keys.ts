import { errors, page, type EventEntity } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import type { Rows } from "../../store/rows.js";
import { recordUserEvent, userOf } from "./users.js";

export const sshKeyHandlers: TagHandlers<
  "listSSHKeys" | "createSSHKey" | "getSSHKey" | "updateSSHKey" | "deleteSSHKey"
> = {
  listSSHKeys: async ({ query, listScope }, { work }) => {
    const { items, total } = await work.tx.sshkeys.list({}, { query, listScope });
    return { status: 200, body: page(query, items, total) };
  },

  createSSHKey: async ({ body: { label, ssh_key } }, context) => {
    const { work } = context;
    // Loaded on demand, with the large library that parses keys.
    const { isPublicKey } = await import("./ssh-public-key.js");
    if (!isPublicKey(ssh_key)) throw errors.sshKeyUnreadable();
    const user = await userOf(context);
    const key = await work.tx.sshkeys.add({ user: user.id, label, ssh_key, created: work.date });
    // event-ssh-key-add
    await recordUserEvent(work, user, { action: "user_ssh_key_add", entity: entityOf(key) });
    return { status: 200, body: key };
  },

  getSSHKey: ({ target }) => ({ status: 200, body: target }),

  updateSSHKey: async ({ target, body: { label = target.label } }, context) => {
    const { work } = context;
    if (label === target.label) return { status: 200, body: target };
    const key = await work.tx.sshkeys.patch(target, { label });
    // event-ssh-key-update
    await recordUserEvent(work, await userOf(context), { action: "user_ssh_key_update", entity: entityOf(key) });
    return { status: 200, body: key };
  },

  deleteSSHKey: async ({ target }, context) => {
    const { work } = context;
    // installed-keys-stay: an instance has copies of the keys, and no reference to them.
    await work.tx.sshkeys.remove([target.id]);
    // event-ssh-key-delete
    await recordUserEvent(work, await userOf(context), { action: "user_ssh_key_delete", entity: entityOf(target) });
    return { status: 200, body: {} };
  },
};

function entityOf({ id, label }: Rows["sshkeys"]): EventEntity {
  return { id, label, type: "user_ssh_key", url: `/v4/profile/sshkeys/${id}` };
}
