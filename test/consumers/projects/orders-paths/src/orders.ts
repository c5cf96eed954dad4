import { client, type Address, type NewOrder, type Order, type OrderQuery, type Schemas } from "./client.js";

type Delivery = NonNullable<NewOrder["delivery"]>;
type Line = NewOrder["lines"][number];

const defaults: Partial<NewOrder> = { delivery: "post", note: "by the web shop" }; // concerns: request-property-removed

export class CallFailed extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** Throws where a call has no data. */
export async function unwrap<T>(call: Promise<{ data?: T; error?: Schemas["Problem"] }>): Promise<T> {
  const { data, error } = await call;
  if (error !== undefined) throw new CallFailed(error.code); // concerns: response-property-removed
  if (data === undefined) throw new Error("empty");
  return data;
}

export async function open(page = 1): Promise<Order[]> {
  const query: OrderQuery = {
    page,
    status: "open",
    sort: "number", // concerns: parameter-deprecated
  };
  const { items } = await unwrap(client.GET("/orders", { params: { query } }));
  return items;
}

export async function ofCustomer(customerId: number): Promise<number> {
  const { data } = await client.GET("/orders", {
    params: { query: { customer_id: customerId, status: "cancelled" } }, // concerns: parameter-removed, request-enum-value-removed
  });
  return data?.items.reduce((sum, { total_cents }) => sum + total_cents, 0) ?? 0; // concerns: response-property-removed
}

export async function place(customer: number, lines: Line[], delivery: Delivery, shipTo?: Address): Promise<Order> {
  const body: NewOrder = { // concerns: request-property-required-added
    ...defaults,
    customer_id: customer,
    lines,
    delivery, // may: request-enum-value-removed
    ...(shipTo !== undefined && { ship_to: shipTo }),
  };
  return unwrap(client.POST("/orders", { body })); // concerns: parameter-required; may: limit-tightened, error-status-changed
}

export async function placeFromShop(body: NewOrder, key: string): Promise<string> {
  const { data, error, response } = await client.POST("/orders", { // may: limit-tightened, error-status-changed
    params: { header: { "Idempotency-Key": key, "X-Channel": "shop" } },
    body,
  });
  if (response.status === 409) return "placed before"; // concerns: error-status-changed
  if (error) return error.message;
  return data.paid_at.slice(0, 10); // concerns: response-property-optional
}

export async function read(orderId: number): Promise<string> {
  const order = await unwrap(client.GET("/orders/{orderId}", { params: { path: { orderId } } }));
  const { status: state, number, tracking_url: link = "" } = order; // concerns: response-type-changed; may: response-enum-value-added
  const when = "paid_at" in order && order.paid_at ? order.paid_at : "never";
  return [state, String(number), link, when].join(" ");
}

export async function drop(orderId: number, reason: string): Promise<void> {
  await client.POST("/orders/{orderId}/cancel", { // concerns: operation-moved
    params: { path: { orderId } },
    body: { reason },
  });
  await client.DELETE("/orders/{orderId}", { params: { path: { orderId } } }); // concerns: operation-removed
}

export async function change(orderId: number): Promise<void> {
  await client.PATCH("/orders/{orderId}", {
    params: { path: { orderId } },
    body: { delivery: "pickup" }, // concerns: request-enum-value-removed, request-property-required
  });
}

export async function note(orderId: number, text: string): Promise<string | undefined> {
  const { data } = await client.POST("/orders/{orderId}/notes", {
    params: { path: { orderId } },
    body: { text: text.slice(0, 150), visibility: "customer" }, // may: request-bound-tightened
  });
  return data?.author.initials; // concerns: response-property-removed
}
