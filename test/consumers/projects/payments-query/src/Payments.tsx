import { useReducer } from "react";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import type { Instrument, Payment, Refund, RefundRequest } from "@corpus/payments";
import { account, messageOf, payments, useCapture, usePay, useRefund, useVoid } from "./data.js";

type Reason = "duplicate" | "requested" | "other";
type Form = { reason: Reason; note: string; status: "open" | "sent" };
type Change = Partial<Form>;

const initial: Form = { reason: "other", note: "", status: "open" };
const merge = (form: Form, change: Change): Form => ({ ...form, ...change });

const CLASSES = new Map<Payment["status"], string>([
  ["paid", "green"],
  ["failed", "red"],
  ["voided", "gray"], // concerns: response-enum-value-removed
]);

function bodyOf(payment: Pick<Payment, "id" | "amount">, { reason, note }: Form): RefundRequest {
  return {
    payment_id: payment.id,
    amount: payment.amount,
    reason, // concerns: request-enum-value-removed
    note, // may: request-bound-tightened
  };
}

function Arrival({ arrives, state }: Pick<Refund, "arrives" | "state">) { // concerns: response-null-added
  return <time dateTime={arrives}>{state}</time>;
}

export function RefundForm({ payment }: { payment: Payment }) {
  const [form, change] = useReducer(merge, initial);
  const { mutate, data: refund } = useRefund();
  const send = () => {
    mutate({ body: bodyOf(payment, form) });
    change({ status: "sent" });
  };
  if (refund) return <p title={refund.reference}><Arrival {...refund} /></p>; // concerns: response-property-removed
  return <button disabled={form.status === "sent"} onClick={send}>{form.reason}</button>;
}

export function PaymentCard({ id }: { id: string }) {
  const { data: payment } = useSuspenseQuery(payments.one(id));
  const { all } = useCapture(id);
  const stop = useVoid();
  const look = CLASSES.get(payment.status) ?? "plain"; // may: response-enum-value-added
  const left = payment.amount.value - payment.captured; // concerns: response-type-changed
  const last = payment.timeline.at(-1);
  const when = last && new Date(last.at * 1000).toLocaleDateString(); // concerns: response-type-changed
  const who = last?.actor ?? "system";
  const blame = payment.failure_code === "fraud" ? "Call us" : null; // may: response-enum-value-added
  const risk = payment.risk.level; // concerns: response-property-optional
  const bank = payment.method.type === "bank" && payment.method.bank_name.trim(); // concerns: response-null-added; may: response-branch-added
  if (stop.error) return <p>{messageOf(stop.error)}</p>;
  return <li className={look} title={`${when} ${who} ${risk} ${bank}`} onClick={all}>{left}{blame}</li>;
}

export function Account({ currency = "EUR" }) {
  const { data: balance } = useQuery(account.balance());
  const { data: payouts = [] } = useQuery(account.payouts(currency));
  const cents = balance?.available[currency] ?? 0; // concerns: response-type-changed
  const days = payouts.map(({ paid_on = "soon", total }) => `${paid_on}: ${total.value}`);
  const recent = useQuery({ ...payments.recent(), select: ({ data, has_more }) => (has_more ? data.slice(0, 9) : data) }); // concerns: response-property-removed
  return <ul title={String(cents / 100)}>{days}{recent.data?.map(({ id }) => <PaymentCard key={id} id={id} />)}</ul>;
}

export function PayButton({ instrument, cents }: { instrument: Instrument; cents: number }) {
  const pay = usePay();
  const basket = { captured: cents, has_more: false, risk: { score: 1 } };
  const start = () =>
    pay({ // concerns: request-property-required-added
      amount: { value: basket.captured, currency: "EUR" },
      instrument,
      capture: !basket.has_more,
      description: null,
      items: [{ name: "Basket", quantity: 1 }],
    });
  return <button value={basket.risk.score} onClick={start}>Pay</button>;
}
