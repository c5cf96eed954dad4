import type { NodeIncoming } from "../node/node-exchange.js";

/**
 * The request target as the client sent it. A `Request` resolves `/x/..` and `/%2e%2e` in its URL; servers on Node would respond to them with 404.
 * The URL applies if the framework has rewritten it.
 *
 * @returns undefined if the URL is as the client sent it
 */
export function originalTarget(request: Request, sent: Pick<NodeIncoming, "url"> | undefined): string | undefined {
  const target = sent?.url;
  if (target === undefined || !isResolved.test(target)) return undefined;
  const { url } = request;
  const origin = target.startsWith("/") ? url.slice(0, url.indexOf("/", url.indexOf("//") + 2)) : "";
  return URL.canParse(origin + target) && new URL(origin + target).href === url ? target : undefined;
}

// What the URL standard changes in a path: segments of one or two periods, and backslashes.
const isResolved = /\/(?:\.|%2e){1,2}(?:[/?#]|$)|\\/i;
