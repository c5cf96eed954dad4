import {
  cancel,
  createPayment,
  isApiError,
  updatePayment,
  type BillingAddress,
  type Client,
  type CreatePaymentRequest,
  type Instrument,
  type Outcome,
  type Payment,
  type PaymentRequest,
} from "./gateway.js";

type Site = NonNullable<NonNullable<CreatePaymentRequest["headers"]>["Merchant-Site"]>;
type Line = NonNullable<PaymentRequest["items"]>[number];

const SITES = new Map<string, Site>([["DE", "eu"], ["US", "us"]]);
SITES.set("GB", "uk"); // concerns: request-enum-value-removed

export interface Cart {
  readonly currency: string;
  readonly lines: readonly { readonly sku: string; readonly count: number; readonly cents: number }[];
  readonly buyer?: { readonly email: string; readonly phone?: string; readonly address?: BillingAddress };
}

const toLine = ({ sku, count, cents }: Cart["lines"][number]): Line => ({
  name: sku,
  quantity: count, // may: request-bound-tightened
  unit_price: cents, // concerns: request-type-changed
  tax_rate: "19", // concerns: field-deprecated
});

export const instruments = {
  card: (token: string, owner?: string): Instrument => ({
    type: "card",
    token,
    holder: owner, // concerns: request-type-changed
    three_ds: "auto",
  }),
  bank(iban: string): Instrument {
    return { type: "bank", iban }; // concerns: request-property-required
  },
  wallet: (wallet: string): Instrument => ({ type: "wallet", wallet }), // concerns: request-branch-removed
};

/** Fluent, since the steps of the shop are pages of their own. */
export class PaymentBuilder {
  readonly #body: Partial<PaymentRequest> = { capture: true };

  constructor(private readonly cart: Cart) {
    const value = cart.lines.reduce((sum, { count, cents }) => sum + count * cents, 0);
    this.#body.amount = { value, currency: cart.currency };
    this.#body.items = cart.lines.map(toLine);
  }

  by(instrument: Instrument): this {
    this.#body.instrument = instrument;
    return this;
  }

  withBuyer({ email, phone, address }: NonNullable<Cart["buyer"]> = this.cart.buyer ?? { email: "unknown@shop.example" }): this {
    this.#body.customer = {
      email,
      phone, // concerns: request-property-removed
      ...(address && { address: { ...address, line2: "Reception" } }), // concerns: request-property-removed
    };
    return this;
  }

  build(instrument: Instrument): PaymentRequest {
    const { amount = { value: 0, currency: this.cart.currency }, ...others } = this.#body;
    return { ...others, amount, instrument }; // concerns: request-property-required-added
  }
}

export async function pay(client: Client, body: PaymentRequest, country: string): Promise<Outcome> {
  try {
    const payment = await createPayment(client, { // concerns: parameter-required; may: limit-tightened, error-status-changed
      headers: {
        "Merchant-Site": SITES.get(country), // may: request-enum-value-removed
      },
      body,
    });
    return outcomeOf(payment);
  } catch (error) {
    if (isApiError(error) && error.status === 402) return "refused"; // concerns: error-status-changed
    throw error;
  }
}

export function outcomeOf({ status, risk }: Payment): Outcome { // may: response-enum-value-added
  if (risk && risk.level === "high") return "refused";
  return status === "paid" ? "paid" : "later"; // may: response-enum-value-added
}

export async function describe(client: Client, payment_id: string, text: string | null): Promise<Payment> {
  return updatePayment(client, {
    path: { payment_id },
    body: {
      description: text, // concerns: request-null-removed
      statement_text: `SHOP ${payment_id}`, // may: request-bound-tightened
    },
  });
}

export const giveUp = async (client: Client, ids: string[]) => Promise.allSettled(ids.map((payment_id) => cancel(client, { path: { payment_id } })));
