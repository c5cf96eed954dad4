import { http, type HttpHandler } from "msw";
import type { Mock } from "./create-mock.js";

/**
 * Handlers of [MSW](https://mswjs.io) that respond to every request below a URL. Requests elsewhere pass.
 *
 * @param mock - The mock that responds.
 * @param url - Where the API is, such as `https://api.example.com/v4`.
 *
 * @example
 * const worker = setupWorker(...mswHandlers(createMock(), "https://api.example.com/v4"));
 */
export function mswHandlers(mock: Pick<Mock, "fetch">, url: string): readonly HttpHandler[] {
  return [http.all(`${url.replace(/\/$/, "")}/*`, ({ request }) => mock.fetch(request))];
}
