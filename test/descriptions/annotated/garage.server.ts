// A parking garage on the server generated from garage.yaml, as its user would write it. What is not here, the server does.
import {
  createServer,
  readList,
  selectItems,
  type Caller,
  type Garage,
  type Handlers,
  type RequestContext,
  type Resources,
  type Ticket,
} from "./server/src/index.js";
import type { Server } from "@plumbline/server-runtime";

interface Rows extends Resources {
  readonly Garage: Garage & { readonly account: string };
  readonly Ticket: Ticket & { readonly garage: string };
}

/** A parking garage in memory. `callers`: who a key belongs to. */
export function createGarages(callers: ReadonlyMap<string, GarageCaller>): Server {
  const garages = new Map<string, Rows["Garage"]>();
  const tickets = new Map<number, Rows["Ticket"]>();
  let last = 0;
  const accountOf = ({ caller }: RequestContext & { readonly caller: Caller }): string => String(caller.account.id);
  const insideOf = (code: string) => [...tickets.values()].filter(({ garage }) => garage === code);
  const setStatus = (ticket: Rows["Ticket"], status: Ticket["status"]) => {
    const changed = { ...ticket, status };
    tickets.set(changed.id, changed);
    return { status: 200, body: changed } as const;
  };

  const handlers: Handlers<RequestContext, Rows> = {
    listGarages: (request) => {
      const own = [...garages.values()].filter(({ account }) => account === request.listScope.owner?.account);
      return { status: 200, body: selectItems(own, readList("listGarages", request)) };
    },
    createGarage: ({ body }, context) => {
      const garage = { ...body, account: accountOf(context) };
      garages.set(garage.code, garage);
      return { status: 201, body: garage };
    },
    getGarage: ({ target }) => ({ status: 200, body: target }),
    deleteGarage: ({ target: { code } }) => {
      garages.delete(code);
      for (const { id } of insideOf(code)) tickets.delete(id);
      return { status: 204 };
    },
    listTickets: (request) => ({
      status: 200,
      body: selectItems(insideOf(request.path.code), readList("listTickets", request)),
    }),
    createTicket: ({ body, path: { code } }) => {
      const ticket = { ...body, garage: code, id: ++last, status: "parked" as const };
      tickets.set(ticket.id, ticket);
      return { status: 201, body: ticket };
    },
    getTicket: ({ target }) => ({ status: 200, body: target }),
    payTicket: ({ target }) => setStatus(target, "paid"),
    leaveGarage: ({ target }) => setStatus(target, "left"),
  };

  return createServer<RequestContext, Rows>(handlers, {
    authenticate: {
      key: (key) => {
        const found = callers.get(key);
        return found && { caller: { user: found.user, account: { id: found.account } } };
      },
    },
    resources: {
      Garage: {
        load: ({ values }) => values.flatMap((code) => garages.get(String(code)) ?? []),
        owner: ({ account }) => ({ account }),
      },
      Ticket: {
        load: ({ values }) => values.flatMap((id) => tickets.get(Number(id)) ?? []),
        parent: ({ garage }) => garage,
      },
    },
    limits: {
      isTaken: {
        "garage-code": ({ code }) => garages.has(String(code)),
        "one-car-inside": ({ plate }, _context, _except, { code }) =>
          insideOf(code).some((each) => each.plate === plate),
      },
    },
  });
}

interface GarageCaller {
  readonly user: string;
  readonly account: string;
}
