import { errors, filterable, limits, page, type Event } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { grantedIds } from "../grants.js";
import { iso } from "../store/tx.js";
import { callerOf, type Caller, type Work } from "../work.js";
import type { Where } from "../store/collection.js";

export const events: Area<"listEvents" | "getEvent"> = {
  listEvents: async ({ query, headers, visible }, context) => {
    const { work } = context;
    const { items, total } = await work.tx.events.list(
      { created: { atLeast: oldest(work) } },
      {
        query,
        visible,
        filter: headers["X-Filter"],
        filterable: filterable.listEvents,
        ...(await told(callerOf(context), work)),
      },
    );
    return { status: 200, body: page(query, items, total) };
  },

  getEvent: async ({ target }, context) => {
    const { work } = context;
    const { either } = await told(callerOf(context), work);
    if (target.created < oldest(work) || !(either?.some((each) => fits(target, each)) ?? true)) throw errors.notFound();
    return { status: 200, body: target };
  },
};

/** When the oldest event began that is still told of. */
function oldest({ now }: Work): string {
  return iso(now - limits.eventHistory.windowSeconds * 1000);
}

/** What a restricted user is told of: what it did itself, and what happened to objects that it may read. */
async function told(caller: Caller, work: Work): Promise<{ readonly either?: readonly Where[] }> {
  if (!caller.restricted) return {};
  const granted = await grantedIds(caller, work);
  return {
    either: [
      { username: caller.user },
      ...granted.map(({ type, ids }) => ({ "entity.type": type, "entity.id": { among: ids.map(String) } })),
    ],
  };
}

function fits({ username, entity }: Event, where: Where): boolean {
  if ("username" in where) return username === where["username"];
  const ids = where["entity.id"] as { readonly among: readonly string[] };
  return entity !== null && entity.type === where["entity.type"] && ids.among.includes(String(entity.id));
}
