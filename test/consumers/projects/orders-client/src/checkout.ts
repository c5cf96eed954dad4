import { addOrderNote, cancelOrder, updateOrder, type OrderLine, type OrderUpdate } from "@corpus/orders";
import {
  createOrder,
  euros,
  isApiError,
  listOrders,
  loadOrder,
  paginateList,
  removeOrder,
  toResult,
  type Client,
  type Order,
  type OrderCreate,
  type PostAddress,
} from "./api.js";

const DELIVERY = { fast: "courier", slow: "post", store: "pickup" } as const;
const PAGE_SIZE = 50;

export interface Basket {
  customerId: number;
  items: { sku: string; count: number }[];
  remark?: string;
  address?: PostAddress;
}

const toLine = ({ sku, count }: Basket["items"][number]): OrderLine => ({ sku, quantity: count }); // may: request-bound-tightened
export const starter: OrderLine[] = [{ sku: "A-1", quantity: 3, gift_wrap: true }];
export const pallet: OrderLine = { sku: "A-1", quantity: 500 }; // concerns: request-bound-tightened

export function toBody({ customerId, items, remark, address }: Basket, inStore = false): OrderCreate {
  const delivery = inStore ? { delivery: DELIVERY.store } : { delivery: DELIVERY.fast }; // concerns: request-enum-value-removed
  return { // concerns: request-property-required-added
    customer_id: customerId,
    lines: items.map(toLine),
    ...delivery,
    ...(remark === undefined ? {} : { note: remark }), // concerns: request-property-removed
    ...(address && { ship_to: address }),
  };
}

export async function placeOrder(client: Client, basket: Basket): Promise<Order> {
  try {
    return await createOrder(client, { body: toBody(basket) }); // concerns: parameter-required; may: limit-tightened, error-status-changed
  } catch (error) {
    if (isApiError(error) && error.status === 409) return findOpen(client, basket.customerId); // concerns: error-status-changed
    throw error;
  }
}

async function findOpen(client: Client, customer: number): Promise<Order> {
  const query = {
    customer_id: customer, // concerns: parameter-removed
    page_size: PAGE_SIZE,
  };
  for await (const order of paginateList(listOrders, client, { query })) {
    if (order.status === "open") return order; // may: response-enum-value-added
  }
  throw new Error("no open order");
}

export async function byPhone(client: Client, body: OrderCreate, key: string): Promise<string> {
  const result = await toResult(
    createOrder(client, { // may: limit-tightened, error-status-changed
      headers: {
        "Idempotency-Key": key,
        "X-Channel": "phone", // concerns: request-enum-value-removed
      },
      body,
    }),
  );
  if (result.ok) return result.data.number.toFixed(0); // concerns: response-type-changed
  if (result.error.status !== 400) throw result.error;
  const { code, message: why } = result.error.body; // concerns: response-property-removed
  return `${code}: ${why}`;
}

export async function reprioritize(client: Client, orderId: number, priority: number | null): Promise<void> {
  const change: OrderUpdate = { priority }; // concerns: request-property-required, request-null-removed
  await updateOrder(client, { path: { orderId }, body: change });
  await updateOrder(client, { path: { orderId }, body: { delivery: "post", revision: 4 } });
  await updateOrder(client, {
    path: { orderId },
    body: { revision: 5, priority: null }, // concerns: request-null-removed
  });
}

export async function abandon(client: Client, orderId: number, reason?: string): Promise<void> {
  if (reason === undefined) await cancelOrder(client, { path: { orderId } }); // concerns: body-required
  else await cancelOrder(client, { path: { orderId }, body: { reason } });
  await removeOrder(client, { path: { orderId } }); // concerns: operation-removed
}

export async function annotate(client: Client, orderId: number, text: string): Promise<string> {
  const { author } = await addOrderNote(client, {
    path: { orderId },
    body: {
      text, // may: request-bound-tightened
      visibility: "staff",
    },
  });
  await addOrderNote(client, { path: { orderId }, body: { text: "seen" } });
  return author.initials; // concerns: response-property-removed
}

export async function receipt(client: Client, orderId: number): Promise<string[]> {
  const order = await loadOrder(client, { path: { orderId } });
  const { number: reference, ...rest } = order; // concerns: response-type-changed
  const paid = order.paid_at?.slice(0, 10) ?? "unpaid";
  const since = new Date(order.paid_at).getFullYear(); // concerns: response-property-optional
  const cents = rest.total_cents; // concerns: response-property-removed
  return [reference.toString(), paid, String(since), euros({ total_cents: cents }), String(order.totals.gross)];
}
