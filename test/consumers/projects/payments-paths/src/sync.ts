import { CallFailed, client, must, type Fields, type Model } from "./http.js";
import type { operations } from "./api.js";

type Voided = operations["void_payment"]["responses"]["200"]["content"]["application/json"]; // concerns: operation-renamed
type RefundReason = NonNullable<Model["RefundRequest"]["reason"]>;
type Wallet = Model["WalletInstrument"]; // concerns: schema-removed

/** The columns of our table, and where their values come from. */
const COLUMNS = {
  id: (payment: Model["Payment"]) => payment.id,
  state: (payment: Model["Payment"]) => payment.status, // may: response-enum-value-added
  failure: ({ failure_code = "none" }: Model["Payment"]) => failure_code, // may: response-enum-value-added
  euros: (payment: Model["Payment"]) => payment.captured / 100, // concerns: response-type-changed
  method: ({ method }: Model["Payment"]) => NAMES[method.type], // may: response-branch-added
  level: ({ risk }: Model["Payment"]) => risk?.level ?? "low",
} satisfies Record<string, (payment: Model["Payment"]) => unknown>;

const NAMES = { card: "Card", bank: "Bank" } satisfies Record<Model["Method"]["type"], string>; // concerns: response-branch-added

const REASONS: Record<number, RefundReason> = { 1: "requested", 2: "duplicate", 3: "fraud" };
REASONS[9] = "other"; // concerns: request-enum-value-removed

export type Row = { [Column in keyof typeof COLUMNS]: ReturnType<(typeof COLUMNS)[Column]> };

export async function* rows(since: Date, customer?: string): AsyncGenerator<Record<string, unknown>> {
  const page = await must(
    client.GET("/payments", {
      params: {
        query: {
          created_after: Math.floor(since.getTime() / 1000), // concerns: request-type-changed
          customer_id: customer, // concerns: parameter-removed
          page_size: 500, // concerns: request-bound-tightened
          status: "paid",
        },
      },
    }),
  );
  for (const payment of page.data) yield Object.fromEntries(Object.entries(COLUMNS).map(([name, read]) => [name, read(payment)]));
  if (page.has_more) console.warn("more"); // concerns: response-property-removed
}

export async function drop(payment_id: string): Promise<Voided | undefined> {
  const params = { path: { payment_id } };
  const { data, response } = await client.POST("/payments/{payment_id}/void", { params });
  if (response.status === 404) return undefined;
  return data?.status === "voided" ? data : undefined; // concerns: response-enum-value-removed; may: response-enum-value-added
}

export async function refund(payment_id: string, code: number, fields: Fields<"RefundRequest"> = {}): Promise<string> {
  const reason = REASONS[code] ?? "requested";
  const { id } = await must(client.POST("/refunds", {
    body: {
      ...fields,
      payment_id,
      reason, // may: request-enum-value-removed
    },
  }));
  const { data: later } = await client.GET("/refunds/{refund_id}", { // concerns: parameter-renamed
    params: { path: { refund_id: id } }, // concerns: parameter-renamed
  });
  return later?.arrives?.slice(0, 10) ?? "unknown";
}

export async function charge(wallet: Wallet, key: string): Promise<string> {
  try {
    const { id } = await must(client.POST("/payments", { // may: limit-tightened, error-status-changed
      params: { header: { "Idempotency-Key": key, "Merchant-Site": "eu" } },
      body: { // concerns: request-property-required-added
        amount: { value: 100, currency: "EUR" },
        instrument: wallet, // concerns: request-branch-removed
        metadata: { order: key, channel: "online", phone: "none" },
      },
    }));
    return id;
  } catch (error) {
    if (error instanceof CallFailed && error.status === 402) return "refused"; // concerns: error-status-changed
    throw error;
  }
}

export const ageOf = ({ at }: Model["TimelineEntry"], now = Date.now()): number => now / 1000 - at; // concerns: schema-renamed, response-type-changed
