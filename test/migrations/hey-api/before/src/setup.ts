import { client } from "./client/client.gen";
import { createClient, createConfig } from "./client/client";

/** The requests of this program, by method and status. */
export const seen: string[] = [];

export function setUp(url: string, token: string): void {
  client.setConfig({
    baseUrl: url,
    auth: () => token,
  });
  client.interceptors.request.use((request) => {
    request.headers.set("X-App", "kiosk");
    return request;
  });
  client.interceptors.response.use((response, request) => {
    seen.push(`${request.method} ${response.status}`);
    return response;
  });
}

/** A client of a visitor, who has no token. */
export const visitor = createClient(
  createConfig({
    baseUrl: process.env["ALLOTMENTS_URL"],
    headers: { "X-App": "visitor" },
  }),
);
