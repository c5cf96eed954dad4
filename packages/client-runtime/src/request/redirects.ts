import type { Fetch } from "../operation.js";

/**
 * Creates a `fetch` for requests with a body. It follows redirects as `fetch` does, except for a 307 or 308 to another origin, which must not
 * receive the body: these fail. `fetch` itself removes only `Authorization` and cookies.
 */
export function followRedirects(send: Fetch): Fetch {
  return async (url, init) => {
    if (init.redirect && init.redirect !== "follow") return send(url, init);
    for (let left = 20; ; left--) {
      // Not with spread, which is slow in Node 20.
      const response = await send(url, Object.assign({}, init, { redirect: "manual" as const }));
      const { status, headers, type } = response;
      const to = status > 300 && status < 309 && headers.get("location");
      // Browsers do not reveal the target.
      if (!to && type !== "opaqueredirect") return response;
      await response.body?.cancel();
      const target = new URL(to || url, url);
      // Like `fetch`: a POST is redirected as GET, except by a 307 or 308.
      const isAway = target.origin !== new URL(url).origin;
      if (to && (status === 303 || (status < 303 && init.method === "POST")))
        return send(target.href, toGetRequest(init, isAway));
      if (!to || !left || isAway || init.body instanceof ReadableStream)
        throw new TypeError("redirected elsewhere, where the body is not sent");
      url = target.href;
    }
  };
}

/** Removes the body and, for another origin, the credentials that `fetch` would remove. `fetch` follows further redirects. */
function toGetRequest({ body: _body, ...init }: Parameters<Fetch>[1], isAway: boolean): Parameters<Fetch>[1] {
  const headers = new Headers(init.headers);
  for (const name of ["content-type", "content-length", ...(isAway ? ["authorization", "cookie"] : [])])
    headers.delete(name);
  return { ...init, method: "GET", headers, redirect: "follow" };
}
