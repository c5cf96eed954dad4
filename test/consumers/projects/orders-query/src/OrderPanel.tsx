import { useState } from "react";
import { useCustomer, useNote, useOrder, usePlacing, useTotal } from "./hooks.js";

const COLORS: { [status: string]: string } = { open: "green", paid: "blue" };

export function OrderPanel({ orderId }: { orderId: number }) {
  const { data: order, error } = useOrder(orderId);
  const total = useTotal(orderId);
  if (error) return <p role="alert">{error.message}</p>;
  if (!order) return <p>Loading</p>;
  const color = COLORS[order.status] ?? "gray"; // may: response-enum-value-added
  const paid = order.paid_at ? new Date(order.paid_at).toLocaleDateString() : "not yet";
  const number = order.number.toLocaleString("de"); // concerns: response-type-changed
  return <p style={{ color }}>{`${number} ${paid} ${total.data ?? 0}`}</p>;
}

export function CustomerLink({ customerId }: { customerId: number }) {
  const customer = useCustomer(customerId).data;
  const href = `mailto:${customer?.email.trim()}`; // concerns: response-null-added
  return <a href={href}>{customer?.name}</a>;
}

export function NoteForm({ orderId }: { orderId: number }) {
  const [note, setNote] = useState("");
  const adding = useNote();
  const add = () =>
    adding.mutate(
      { path: { orderId }, body: { text: note } }, // may: request-bound-tightened
      { onSuccess: ({ author: { name, initials } }) => setNote(`${name} (${initials})`) }, // concerns: response-property-removed
    );
  return <button onClick={add}>{note}</button>;
}

export function QuickOrder({ customer, sku }: { customer: number; sku: string }) {
  const placing = usePlacing();
  const place = () =>
    placing.mutate({ // concerns: parameter-required
      body: { // concerns: request-property-required-added
        customer_id: customer,
        lines: [{ sku, quantity: 1 }],
        note: "one click", // concerns: request-property-removed
      },
    });
  if (placing.error?.status === 409) return <p>Placed before</p>; // concerns: error-status-changed
  return <button onClick={place}>{placing.data?.totals.gross ?? "Buy"}</button>;
}
