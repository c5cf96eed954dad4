import type { Answered, Sample } from "../../support/foreign/serving.js";
import { present, shown } from "./library.js";
import {
  sampleApi,
  SampleRejection,
  sideEffectOf,
  type Fields,
  type SampleCall,
  type SampleCaller,
  type SideEffect,
} from "./sample-api.js";
import { bracketFilter, sorted } from "./sample-lists.js";

/** Ways in which an operation may do more than it should. */
export const garageSideEffects = [
  "a car that enters takes a place from the garage",
  "a car that leaves adds a place to the garage",
  "a payment pays for the other cars of the garage",
  "a car that leaves ends its tickets in other garages",
  "a payment makes the car electric",
  "a closed garage closes those whose codes begin with its code",
  "a closed garage ends the tickets of its cars elsewhere",
  "a new garage sets the height of the others",
  "a car that enters voids the payments of others",
  "a car that leaves removes tickets of cars that left before",
  "a car that enters corrects its tickets in other garages",
  "a new garage sets the places in other accounts",
] as const;

/** Ways in which a parking garage may be wrong. */
export const garageFaults = [
  "a car begins as paid",
  "a ticket can be paid twice",
  "a ticket can be paid after leaving",
  "a car can leave without payment",
  "a car can leave twice",
  "a paid ticket stays parked",
  "a car that left stays paid",
  "a plate can be inside twice",
  "a plate is unique in all garages",
  "a code can be used twice",
  "a code is unique within an account only",
  "a code stays taken",
  "garages of other accounts can be read",
  "garages of other accounts can be closed",
  "tickets of other garages can be read",
  "no key is needed to pay",
  "payments have no limit",
  "ten payments are accepted",
  "a payment is not counted in what is left",
  "the policy of payments is for ten",
  "an amount of zero is accepted",
  "a car is electric if it does not say",
  "a list of garages is not filtered",
  "a list of tickets is not filtered",
  "garages can be filtered by any field",
  "places can be a text",
  "the order of garages is ignored",
  "garages are always in ascending order",
  ...garageSideEffects,
] as const;

export type GarageSideEffect = (typeof garageSideEffects)[number];

export type GarageFault = (typeof garageFaults)[number];

export const garageCallers: Readonly<Record<string, SampleCaller>> = {
  "garage-main": { user: "ada", account: "north", scopes: [] },
  "garage-other": { user: "bob", account: "south", scopes: [] },
};

interface Garage extends Fields {
  readonly code: string;
  readonly account: string;
}

interface Ticket extends Fields {
  readonly id: number;
  readonly garage: string;
  readonly plate: string;
  status: "parked" | "paid" | "left" | "towed";
}

/** A parking garage as `garage.yaml` describes it, except for one fault. */
export function garage(fault?: GarageFault, now: () => number = Date.now): Sample {
  const is = (each: GarageFault): boolean => each === fault;
  const garages: Garage[] = [];
  const tickets = new Map<number, Ticket>();
  const codes = new Set<string>();
  let payments: readonly number[] = [];
  let last = 0;
  const also = sideEffectOf(effectsOf({ garages, tickets }), fault);

  return sampleApi({
    description: "garage.yaml",
    callers: garageCallers,
    credential: ({ headers }) => headers["x-key"],
    invalidStatus: 422,
    rejectionBody: () => ({ title: "This is not possible." }),
    scopes: {},
    without: (check, operation) =>
      (check === "token" && is("no key is needed to pay") && operation === "payTicket") ||
      (check === "validation" && is("an amount of zero is accepted") && operation === "payTicket"),
    handlers: {
      listGarages: ({ caller, query }) => {
        const isAny = is("garages can be filtered by any field");
        const isMeant = bracketFilter(
          query,
          ["code", "places"],
          isAny ? undefined : 422,
          is("places can be a text") ? [] : ["places"],
        );
        const order = query.get("order") ?? "";
        if (!/^((desc:)?(code|places))?$/.test(order) && !isAny) throw new SampleRejection(422);
        const all = garages.filter(({ account }) => account === caller.account);
        const meant = is("a list of garages is not filtered") ? all : all.filter(isMeant);
        const isAscending = is("garages are always in ascending order");
        const sort = isAscending ? order.replace("desc:", "") : order.replace("desc:", "-");
        const isSorted = order !== "" && !is("the order of garages is ignored");
        return { status: 200, body: sorted(meant, isSorted ? sort : null).map(shown) };
      },
      createGarage: (call) => {
        const { fields, caller } = call;
        const { code, places, height } = fields;
        const key = is("a code is unique within an account only") ? `${caller.account} ${String(code)}` : String(code);
        if (codes.has(key) && !is("a code can be used twice")) throw new SampleRejection(409);
        codes.add(key);
        const made: Garage = { code: String(code), account: caller.account, ...present({ places, height }) };
        garages.push(made);
        also(made, call);
        return { status: 201, body: shown(made) };
      },
      getGarage: (call) => ({
        status: 200,
        body: shown(garageOf(call, is("garages of other accounts can be read"))),
      }),
      deleteGarage: (call) => {
        const found = garageOf(call, is("garages of other accounts can be closed"));
        garages.splice(garages.indexOf(found), 1);
        if (!is("a code stays taken"))
          for (const prefix of ["", `${found.account} `]) codes.delete(prefix + found.code);
        also(found, call);
        for (const [id, ticket] of tickets) if (ticket.garage === found.code) tickets.delete(id);
        return { status: 204 };
      },
      listTickets: (call) => {
        const { code } = garageOf(call);
        const isMeant = bracketFilter(call.query, ["plate", "electric"], 422);
        const inside = [...tickets.values()].filter((each) => each.garage === code);
        return {
          status: 200,
          body: (is("a list of tickets is not filtered") ? inside : inside.filter(isMeant)).map(shownTicket),
        };
      },
      createTicket: (call) => {
        const { code } = garageOf(call);
        const { plate, electric = is("a car is electric if it does not say") } = call.fields;
        const isInside = [...tickets.values()].some(
          (each) => each.plate === plate && (each.garage === code || is("a plate is unique in all garages")),
        );
        if (isInside && !is("a plate can be inside twice")) throw new SampleRejection(409);
        const ticket: Ticket = {
          id: ++last,
          garage: code,
          plate: String(plate),
          electric,
          status: is("a car begins as paid") ? "paid" : "parked",
        };
        tickets.set(ticket.id, ticket);
        also(ticket, call);
        return { status: 201, body: shownTicket(ticket) };
      },
      getTicket: (call) => ({ status: 200, body: shownTicket(ticketOf(call)) }),
      payTicket: (call) => {
        const ticket = ticketOf(call);
        const mayPay =
          ticket.status === "parked" ||
          (ticket.status === "paid" && is("a ticket can be paid twice")) ||
          (ticket.status === "left" && is("a ticket can be paid after leaving"));
        if (!mayPay) throw new SampleRejection(409);
        return moved(call, ticket, is("a paid ticket stays parked") ? "parked" : "paid");
      },
      leaveGarage: (call) => {
        const ticket = ticketOf(call);
        const mayLeave =
          ticket.status === "paid" ||
          (ticket.status === "parked" && is("a car can leave without payment")) ||
          (ticket.status === "left" && is("a car can leave twice"));
        if (!mayLeave) throw new SampleRejection(409);
        return moved(call, ticket, is("a car that left stays paid") ? "paid" : "left");
      },
    },
    beforeHandler: ({ operation, caller }) => {
      if (operation !== "payTicket" || caller.user !== "ada" || is("payments have no limit")) return undefined;
      const at = now();
      payments = payments.filter((time) => time > at - 1000);
      const [oldest] = payments;
      const max = is("ten payments are accepted") ? 10 : 9;
      if (payments.length >= max && oldest !== undefined)
        throw new SampleRejection(429, undefined, Math.max(Math.ceil((oldest + 1000 - at) / 1000), 1));
      payments = [...payments, at];
      const left = max - payments.length + (is("a payment is not counted in what is left") ? 1 : 0);
      return {
        "ratelimit-policy": `"payments";q=${is("the policy of payments is for ten") ? 10 : max};w=1`,
        ratelimit: `"payments";r=${left};t=1`,
      };
    },
  });

  function moved(call: SampleCall, ticket: Ticket, to: Ticket["status"]): Answered {
    ticket.status = to;
    also(ticket, call);
    return { status: 200, body: shownTicket(ticket) };
  }

  function garageOf({ values, caller }: SampleCall, isAny = false): Garage {
    const found = garages.find(({ code, account }) => code === values[0] && (account === caller.account || isAny));
    if (found === undefined) throw new SampleRejection(404);
    return found;
  }

  function ticketOf(call: SampleCall): Ticket {
    const { code } = garageOf(call);
    const found = tickets.get(call.id);
    const isHere = found?.garage === code || is("tickets of other garages can be read");
    if (found === undefined || !isHere) throw new SampleRejection(404);
    return found;
  }
}

/** Effects of operations on what they do not concern, by fault. */
function effectsOf({
  garages,
  tickets,
}: {
  readonly garages: Garage[];
  readonly tickets: Map<number, Ticket>;
}): Readonly<Record<GarageSideEffect, SideEffect>> {
  const resize = (code: unknown, by: number): void => {
    for (const each of garages) if (each.code === code) each["places"] = Number(each["places"]) + by;
  };
  const othersInside = ({ id, garage: code }: Fields): readonly Ticket[] =>
    [...tickets.values()].filter((each) => each.id !== id && each.garage === code);
  const elsewhere = ({ plate, garage: code }: Fields): readonly Ticket[] =>
    [...tickets.values()].filter((each) => each.plate === plate && each.garage !== code);
  return {
    "a car that enters takes a place from the garage": ["createTicket", (ticket) => resize(ticket["garage"], -1)],
    "a car that leaves adds a place to the garage": ["leaveGarage", (ticket) => resize(ticket["garage"], 1)],
    "a payment pays for the other cars of the garage": [
      "payTicket",
      (ticket) => {
        for (const other of othersInside(ticket)) if (other.status === "parked") other.status = "paid";
      },
    ],
    "a car that leaves ends its tickets in other garages": [
      "leaveGarage",
      (ticket) => {
        for (const other of elsewhere(ticket)) other.status = "left";
      },
    ],
    "a payment makes the car electric": ["payTicket", (ticket) => (ticket["electric"] = true)],
    "a closed garage closes those whose codes begin with its code": [
      "deleteGarage",
      ({ code, account }) => {
        for (const other of garages.filter((each) => each.account === account && each.code.startsWith(String(code))))
          garages.splice(garages.indexOf(other), 1);
      },
    ],
    "a closed garage ends the tickets of its cars elsewhere": [
      "deleteGarage",
      ({ code }) => {
        for (const inside of tickets.values())
          if (inside.garage === code) for (const other of elsewhere(inside)) tickets.delete(other.id);
      },
    ],
    "a new garage sets the height of the others": [
      "createGarage",
      ({ account, height }) => {
        for (const other of garages) if (other.account === account) other["height"] = height;
      },
    ],
    "a car that enters voids the payments of others": [
      "createTicket",
      (ticket) => {
        for (const other of othersInside(ticket)) if (other.status === "paid") other.status = "parked";
      },
    ],
    "a car that leaves removes tickets of cars that left before": [
      "leaveGarage",
      (ticket) => {
        for (const other of othersInside(ticket)) if (other.status === "left") tickets.delete(other.id);
      },
    ],
    "a car that enters corrects its tickets in other garages": [
      "createTicket",
      (ticket) => {
        for (const other of elsewhere(ticket)) other["electric"] = ticket["electric"];
      },
    ],
    "a new garage sets the places in other accounts": [
      "createGarage",
      ({ account, places }) => {
        for (const other of garages) if (other.account !== account) other["places"] = places;
      },
    ],
  };
}

function shownTicket({ garage: _garage, ...fields }: Fields): Fields {
  return fields;
}
