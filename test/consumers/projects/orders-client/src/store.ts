import { getCustomer, listOrders as fetchPage, setAddress, type Address } from "@corpus/orders"; // concerns: schema-renamed
import * as api from "@corpus/orders";
import { listCustomers, type Client, type Customer, type Order, type OrderStatus } from "./api.js";

type Row = Pick<Order, "id" | "total_cents" | "status">; // concerns: response-property-removed
type Contact = Pick<Customer, "name" | "email">;

const LABELS: Record<OrderStatus, string> = { open: "Open", paid: "Paid", shipped: "Sent", cancelled: "Off" }; // concerns: response-enum-value-added

export class OrderStore {
  private readonly rows = new Map<number, Row>();

  constructor(private readonly client: Client) {}

  async load(status: "open" | "paid" = "open"): Promise<void> {
    const page = await fetchPage(this.client, {
      query: {
        status,
        min_total: "1000", // concerns: request-type-changed
        sort: "created", // concerns: parameter-deprecated
      },
    });
    for (const order of page.items) this.rows.set(order.id, { ...order });
  }

  async cancelled(): Promise<number> {
    const { total } = await fetchPage(this.client, { query: { status: "cancelled" } }); // concerns: request-enum-value-removed
    return total;
  }

  async one(orderId: number): Promise<Order> {
    return api.getOrder(this.client, { path: { orderId } }); // concerns: operation-renamed
  }

  label(id: number): string {
    const row = this.rows.get(id);
    if (row === undefined) return "none";
    switch (row.status) { // may: response-enum-value-added
      case "open":
        return "to do";
      case "cancelled":
        return "off";
      default:
        return LABELS[row.status]; // may: response-enum-value-added
    }
  }

  /** Not an operation of the service: only removes a row of ours. */
  deleteOrder(id: number): boolean {
    return this.rows.delete(id);
  }
}

export async function contacts(client: Client): Promise<Contact[]> {
  const { items } = await listCustomers(client, { query: { page_size: 20 } }); // concerns: parameter-required-added
  return items.filter(({ email }) => email.includes("@")); // concerns: response-null-added
}

export async function mailFor(client: Client, customerId: number): Promise<string> {
  const customer = await getCustomer(client, { path: { customerId } }); // concerns: operation-deprecated
  if (customer.email) return customer.email.toLowerCase();
  return customer.phone; // concerns: field-deprecated
}

export async function move(client: Client, customerId: number, to: Address): Promise<string> { // concerns: schema-renamed
  const body = {
    ...to,
    line2: "c/o reception", // concerns: request-property-removed
  };
  const { address, email = "unknown" } = await setAddress(client, { path: { customerId }, body }); // concerns: response-null-added
  const second = address?.line2 ?? ""; // concerns: response-property-removed
  return [email, address?.street, second, address?.city].join("\n");
}

export async function sweep(store: OrderStore, ids: number[]): Promise<boolean[]> {
  return ids.map((id) => store.deleteOrder(id));
}
