export * from "@corpus/payments";
export { voidPayment as cancel, retryRefund as refundAgain } from "@corpus/payments"; // concerns: operation-renamed, operation-removed
export type { Address as BillingAddress, TimelineEntry as Step } from "@corpus/payments"; // concerns: schema-renamed
export type Outcome = "paid" | "later" | "refused";
