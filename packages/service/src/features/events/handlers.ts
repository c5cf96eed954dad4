import { errors, filterable, limits, page, type Event } from "@cloud-compute/server";
import { callerOf, type Caller } from "../../access/caller.js";
import { grantedIds } from "../../access/grants.js";
import type { TagHandlers } from "../../context.js";
import type { Where } from "../../store/filters/where.js";
import { formatDate } from "../../store/transaction.js";
import type { UnitOfWork } from "../../unit-of-work.js";

export const eventHandlers: TagHandlers<"listEvents" | "getEvent"> = {
  listEvents: async ({ query, headers, listScope }, context) => {
    const { work } = context;
    const { items, total } = await work.tx.events.list(
      { created: { gte: oldest(work) } },
      {
        query,
        listScope,
        filter: headers["X-Filter"],
        filterable: filterable.listEvents,
        ...(await eventResponse(callerOf(context), work)),
      },
    );
    return { status: 200, body: page(query, items, total) };
  },

  getEvent: async ({ target }, context) => {
    const { work } = context;
    const { either } = await eventResponse(callerOf(context), work);
    if (target.created < oldest(work) || !(either?.some((each) => fits(target, each)) ?? true)) throw errors.notFound();
    return { status: 200, body: target };
  },
};

/** The creation time of the oldest event that is still listed. */
function oldest({ now }: UnitOfWork): string {
  return formatDate(now - limits.eventHistory.windowSeconds * 1000);
}

/** The events that a restricted user sees: its own, and those of objects that it may read. */
async function eventResponse(caller: Caller, work: UnitOfWork): Promise<{ readonly either?: readonly Where[] }> {
  if (!caller.restricted) return {};
  const granted = await grantedIds(caller, work);
  return {
    either: [
      { username: caller.user },
      ...granted.map(({ type, ids }) => ({ "entity.type": type, "entity.id": { in: ids.map(String) } })),
    ],
  };
}

function fits({ username, entity }: Event, where: Where): boolean {
  if ("username" in where) return username === where["username"];
  const ids = where["entity.id"] as { readonly in: readonly string[] };
  return entity !== null && entity.type === where["entity.type"] && ids.in.includes(String(entity.id));
}
