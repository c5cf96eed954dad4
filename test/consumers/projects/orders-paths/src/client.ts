import createClient, { type Middleware } from "openapi-fetch";
import type { components, operations, paths } from "./api.js";

export type Schemas = components["schemas"];
export type Order = Schemas["Order"];
export type Address = Schemas["Address"]; // concerns: schema-renamed
export type NewOrder = Schemas["OrderCreate"];
export type OrderQuery = NonNullable<operations["listOrders"]["parameters"]["query"]>;
export type OneOrder = operations["getOrder"]["responses"][200]["content"]["application/json"]; // concerns: operation-renamed
export type Removal = paths["/orders/{orderId}"]["delete"]; // concerns: operation-removed
export type Cancelling = paths["/orders/{orderId}/cancel"]["post"]; // concerns: operation-moved

export const timing: Middleware = {
  onRequest({ request }) {
    request.headers.set("x-started", String(Date.now()));
    return request;
  },
};

export const client = createClient<paths>({ baseUrl: "https://orders.example/v1" });
client.use(timing);
