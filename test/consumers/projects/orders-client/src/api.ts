export { createClient, isApiError, paginateList, toResult, withResponse } from "@corpus/orders";
export { createOrder, listCustomers, listOrders } from "@corpus/orders";
export { getOrder as loadOrder } from "@corpus/orders"; // concerns: operation-renamed
export { deleteOrder as removeOrder } from "@corpus/orders"; // concerns: operation-removed
export type { Client, Customer, Order, OrderCreate, OrderStatus } from "@corpus/orders";
export type { Address as PostAddress } from "@corpus/orders"; // concerns: schema-renamed
export * from "./money.js";
