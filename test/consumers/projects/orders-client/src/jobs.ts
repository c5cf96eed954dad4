import { addOrderNote, deleteOrder, listCustomers, type ApiPromise, type Client } from "@corpus/orders"; // concerns: operation-removed
import { loadOrder, type Order } from "./api.js";

type Operation<Request, Data> = (client: Client, request: Request) => ApiPromise<Data, unknown, unknown>;

interface Job {
  readonly note: string;
  readonly status: "open" | "done";
  readonly total_cents: number;
}

/** Calls an operation again after a failure. */
export function again<Request, Data>(operation: Operation<Request, Data>, attempts = 3) {
  return async (client: Client, request: Request): Promise<Data> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await operation(client, request);
      } catch (error) {
        if (attempt === attempts) throw error;
      }
    }
  };
}

export const noteAgain = again(addOrderNote); // may: request-bound-tightened
export const customersAgain = again(listCustomers, 5); // may: parameter-required-added
export const deleteAgain = again(deleteOrder); // concerns: operation-removed
export const loadAgain = again(loadOrder);

export const done = (jobs: readonly Job[]): number =>
  jobs.filter(({ status }) => status === "done").reduce((sum, { total_cents }) => sum + total_cents, 0);

export function remind(order: Order): Job {
  const { status, number, ...others } = order; // concerns: response-type-changed; may: response-enum-value-added
  if (status === "cancelled") throw new Error(`${number} is off`); // may: response-enum-value-added
  return {
    note: "remind",
    status: "open",
    total_cents: "total_cents" in others ? others.total_cents : 0, // concerns: response-property-removed
  };
}

export function age({ paid_at = new Date().toISOString(), created_at }: Order): number {
  return Date.parse(paid_at) - Date.parse(created_at);
}
