import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { createClient, type OrderUpdate } from "@corpus/orders";
import {
  addOrderNoteMutation,
  createOrderMutation,
  deleteOrderMutation, // concerns: operation-removed
  getCustomerQuery,
  getOrderQuery as orderQuery, // concerns: operation-renamed
  listCustomersQuery,
  listOrdersInfiniteQuery,
  updateOrderMutation,
} from "@corpus/orders/query";

export const client = createClient({ baseUrl: "https://orders.example/v1" });

export const useOrder = (orderId: number) => useQuery(orderQuery(client, { path: { orderId } }));

export const useTotal = (orderId: number) =>
  useQuery({
    ...orderQuery(client, { path: { orderId } }),
    select: ({ total_cents, totals }) => total_cents / 100 + totals.net, // concerns: response-property-removed
  });

export const useOpenOrders = (customer?: number) =>
  useInfiniteQuery(
    listOrdersInfiniteQuery(client, {
      query: {
        status: "open",
        ...(customer !== undefined && { customer_id: customer }), // concerns: parameter-removed
      },
    }),
  );

export const useCustomers = (name: string) => useQuery(listCustomersQuery(client, { query: { name } })); // concerns: parameter-required-added
export const useCustomer = (customerId: number) => useQuery(getCustomerQuery(client, { path: { customerId } })); // concerns: operation-deprecated
export const useRemoval = () => useMutation(deleteOrderMutation(client)); // concerns: operation-removed
export const useNote = () => useMutation(addOrderNoteMutation(client));
export const usePlacing = () => useMutation(createOrderMutation(client)); // may: limit-tightened, error-status-changed

export function useChange(orderId: number) {
  const { mutate } = useMutation(updateOrderMutation(client));
  return (body: Omit<OrderUpdate, "revision">) => mutate({ path: { orderId }, body }); // concerns: request-property-required
}
