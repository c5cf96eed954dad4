import type { Mock } from "./create-mock.js";

/** A route of Playwright, as far as a mock needs it. */
export interface PlaywrightRoute {
  request(): {
    url(): string;
    method(): string;
    headers(): Record<string, string>;
    postDataBuffer(): Uint8Array | null;
  };
  fulfill(response: { status: number; headers: Record<string, string>; body: string }): Promise<void>;
  abort(errorCode: string): Promise<void>;
}

/**
 * A handler of Playwright's `page.route`, which responds from a mock.
 *
 * @example
 * await page.route("https://api.example.com/v4/**", playwrightRoute(createMock()));
 */
export function playwrightRoute(mock: Pick<Mock, "fetch">): (route: PlaywrightRoute) => Promise<void> {
  return async (route) => {
    const sent = route.request();
    const body = sent.postDataBuffer();
    const request = new Request(sent.url(), {
      method: sent.method(),
      headers: sent.headers(),
      ...(body === null || body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
    const response = await mock.fetch(request).catch(() => undefined);
    // A dropped connection is one for the page, too.
    if (response === undefined) return route.abort("connectionreset");
    await route.fulfill({
      status: response.status,
      // The page and the API may have different origins.
      headers: { ...Object.fromEntries(response.headers), "access-control-allow-origin": "*" },
      body: await response.text(),
    });
  };
}
