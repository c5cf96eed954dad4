import type { Fetch } from "./client.js";

/**
 * A `fetch` for requests that have a body: it follows redirects as `fetch` does, but for those (307 and 308) that would hand the body to another origin: these
 * fail. `fetch` by itself takes no more than `Authorization` and cookies off.
 */
export function following(send: Fetch): Fetch {
  return async (url, init) => (init.redirect ? send(url, init) : follow(send, url, init));
}

async function follow(send: Fetch, url: string, init: Parameters<Fetch>[1]): Promise<Response> {
  const home = new URL(url).origin;
  for (let left = 20; ; left--) {
    const response = await send(url, { ...init, redirect: "manual" });
    const { status, headers, type } = response;
    const to = status > 300 && status < 309 && headers.get("location");
    // Browsers do not tell where to.
    if (!to && type !== "opaqueredirect") return response;
    await response.body?.cancel();
    const target = new URL(to || home, url);
    // As `fetch` does: what was posted is asked for by GET, unless a 307 or 308 says otherwise.
    const isAway = target.origin !== home;
    if (to && (status === 303 || (status < 303 && init.method === "POST")))
      return send(target.href, asGet(init, isAway));
    if (!to || !left || isAway || init.body instanceof ReadableStream)
      throw new TypeError("redirected elsewhere, where the body is not sent");
    url = target.href;
  }
}

/** Without the body and, for another origin, without the credentials that `fetch` would take off. What comes then it follows by itself. */
function asGet({ body: _body, ...init }: Parameters<Fetch>[1], isAway: boolean): Parameters<Fetch>[1] {
  const headers = new Headers(init.headers);
  for (const name of ["content-type", "content-length", ...(isAway ? ["authorization", "cookie"] : [])])
    headers.delete(name);
  return { ...init, method: "GET", headers, redirect: "follow" };
}
