// The one client of this program.
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "./api/schema";

/** What the program has heard from the server. */
export const statuses: number[] = [];

const middleware: Middleware = {
  async onRequest({ request }) {
    // The server counts requests by program.
    request.headers.set("X-App", "board");
    return request;
  },
  onResponse({ request, response }) {
    if (request.method !== "HEAD") statuses.push(response.status);
  },
};

export const client = createClient<paths>({
  baseUrl: process.env["ALLOTMENTS_URL"],
  headers: { Authorization: `Bearer ${process.env["ALLOTMENTS_TOKEN"]}` },
});
client.use(middleware);
