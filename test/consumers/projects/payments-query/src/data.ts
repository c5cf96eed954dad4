import { queryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createClient, type CreatePaymentError, type Payment, type PaymentRequest, type VoidPaymentError } from "@corpus/payments"; // concerns: operation-renamed
import {
  capturePaymentMutation,
  changedBy,
  createPaymentMutation,
  createRefundMutation,
  getBalanceQuery,
  getPaymentQuery,
  getRefundQuery,
  listPaymentsQuery,
  listPayoutsQuery as payoutsOptions,
  retryRefundMutation as again, // concerns: operation-removed
  voidPaymentMutation, // concerns: operation-renamed
} from "@corpus/payments/query";

export const client = createClient({ baseUrl: "/pay", token: () => sessionStorage.getItem("token") ?? "" });

export const payments = {
  one: (payment_id: string) => queryOptions(getPaymentQuery(client, { path: { payment_id } })),
  of: (customer_id: string, status?: Payment["status"]) =>
    listPaymentsQuery(client, { query: { customer_id, status } }), // concerns: parameter-removed; may: request-enum-value-removed
  recent: (days = 7) =>
    listPaymentsQuery(client, {
      query: {
        created_after: Date.now() / 1000 - days * 86_400, // concerns: request-type-changed
        page_size: 100,
      },
    }),
  refund: (refund_id: string) => getRefundQuery(client, { path: { refund_id } }), // concerns: parameter-renamed
};

export const account = {
  balance: () => ({ ...getBalanceQuery(client), staleTime: 30_000 }), // concerns: operation-deprecated
  payouts: (currency?: string) => payoutsOptions(client, { query: { currency } }), // concerns: parameter-required-added
};

export const messageOf = (error: CreatePaymentError | VoidPaymentError): string => { // concerns: operation-renamed
  if (error.status === 402) return "declined"; // concerns: error-status-changed
  return error.errors.map(({ reason }) => reason).join();
};

export function useCapture(payment_id: string) {
  const { mutate } = useMutation(capturePaymentMutation(client));
  return {
    all: () => mutate({ path: { payment_id } }), // concerns: body-required
    part: (value: number) => mutate({ path: { payment_id }, body: { amount: { value, currency: "EUR" }, final: false } }),
  };
}

export function usePay() {
  const cache: QueryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    ...createPaymentMutation(client), // may: limit-tightened, error-status-changed
    onSuccess: (payment) => cache.setQueryData(payments.one(payment.id).queryKey, payment),
  });
  return (body: PaymentRequest) => mutateAsync({ body }); // concerns: parameter-required
}

export const useVoid = () => useMutation(voidPaymentMutation(client)); // concerns: operation-renamed
export const useRetry = () => useMutation(again(client)); // concerns: operation-removed
export const useRefund = () => useMutation(createRefundMutation(client));
export { changedBy };
