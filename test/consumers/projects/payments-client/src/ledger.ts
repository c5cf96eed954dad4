import * as pay from "@corpus/payments";
import { refundAgain, type Step } from "./gateway.js";

interface Entry {
  readonly id: string;
  readonly captured: number;
  readonly reference?: string;
}

type Action =
  | { readonly type: "seen"; readonly payment: pay.Payment }
  | { readonly type: "corrected"; readonly entry: Entry };

const TITLES: Record<pay.PaymentStatus, string> = { // concerns: response-enum-value-added
  pending: "Waiting",
  authorized: "Reserved",
  paid: "Paid",
  failed: "Failed",
  voided: "Void", // concerns: response-enum-value-removed
};

export function ledger(state: readonly Entry[], action: Action): readonly Entry[] {
  switch (action.type) {
    case "seen":
      return [...state, { id: action.payment.id, captured: action.payment.captured }]; // concerns: response-type-changed
    case "corrected":
      return state.map((entry) => (entry.id === action.entry.id ? { ...entry, captured: action.entry.captured } : entry));
  }
}

export const sum = (entries: readonly Entry[]): number => entries.reduce((all, { captured }) => all + captured, 0);

export function methodText({ method }: pay.Payment): string {
  if (method.type === "card") { // may: response-branch-added
    const { brand, last4, expires = "?" } = method; // concerns: response-property-removed, response-type-changed
    return brand === "maestro" ? `debit ${last4}` : `${brand} ${last4} ${expires}`; // concerns: response-enum-value-removed
  }
  return method.bank_name.toUpperCase(); // concerns: response-branch-added, response-null-added
}

export function row(payment: pay.Payment): string[] {
  const steps = payment.timeline.map(stepText);
  const score = payment.risk.score.toFixed(1); // concerns: response-property-optional, response-property-removed
  return [TITLES[payment.status], payment.failure_code ?? "fine", score, payment.receipt_url ?? "", ...steps]; // concerns: field-deprecated; may: response-enum-value-added
}

const stepText = ({ at, actor, action }: Step): string => // concerns: response-type-changed, response-property-optional
  `${new Date(at * 1000).toISOString()} ${actor.padEnd(12)} ${action}`;

export async function total(client: pay.Client, currency = "EUR"): Promise<number> {
  const { available, reserved } = await pay.getBalance(client); // concerns: operation-deprecated
  return (available[currency] ?? 0) + (reserved[currency]?.value ?? 0); // concerns: response-type-changed
}

export async function refund(client: pay.Client, payment_id: string, note?: string): Promise<string> {
  const made = await pay.createRefund(client, {
    body: { // concerns: request-property-required
      payment_id,
      note, // may: request-bound-tightened
    },
  });
  const { arrives, reference = "none", state } = await pay.getRefund(client, { path: { refund_id: made.id } }); // concerns: parameter-renamed, response-null-added, response-property-removed
  if (state === "failed") await refundAgain(client, { path: { refund_id: made.id } }); // concerns: operation-removed
  return `${arrives.slice(0, 10)} ${reference}`;
}

export const tasks: Record<string, (client: pay.Client, request: never) => PromiseLike<unknown>> = {
  capture: pay.capturePayment, // may: body-required, request-property-required
  webhook: pay.createWebhook, // may: request-enum-value-removed, request-bound-tightened, request-property-removed
  read: pay.getPayment,
};
