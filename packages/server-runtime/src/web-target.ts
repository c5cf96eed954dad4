import type { NodeIncoming } from "./node-pair.js";

/**
 * The target of a web request as the client sent it. A `Request` has its URL with `/x/..` and `/%2e%2e` resolved, which another server of the same
 * API would respond to with 404; Node's request has it as it came. A host may have rewritten the URL, and then its own holds.
 *
 * @returns undefined where the URL has it.
 */
export function sentTarget(request: Request, sent: Pick<NodeIncoming, "url"> | undefined): string | undefined {
  const target = sent?.url;
  if (target === undefined || !isResolved.test(target)) return undefined;
  const { url } = request;
  const origin = target.startsWith("/") ? url.slice(0, url.indexOf("/", url.indexOf("//") + 2)) : "";
  return URL.canParse(origin + target) && new URL(origin + target).href === url ? target : undefined;
}

// What the URL standard changes in a path: segments of one or two periods, and backslashes.
const isResolved = /\/(?:\.|%2e){1,2}(?:[/?#]|$)|\\/i;
