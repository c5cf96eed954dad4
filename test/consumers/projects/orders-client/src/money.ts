/** Our own ledger: its fields only look like those of the orders service. */
export interface Invoice {
  number: number;
  total_cents: number;
  note?: string;
  paid_at?: string;
}

export function euros(invoice: Pick<Invoice, "total_cents">): string {
  return (invoice.total_cents / 100).toFixed(2);
}

export function draft(number: number): Invoice {
  return { number, total_cents: 0, note: "draft" };
}

export const isPaid = ({ paid_at }: Invoice): boolean => paid_at !== undefined && paid_at.length > 0;
