import type { Api, Operation } from "../model/api.js";
import { report, whatAt, type At } from "./comparison.js";
import { text } from "./info.js";
import { matched } from "./matched.js";
import { listed } from "./short.js";

/** Compares the servers of the API. The first one is the default of a client. */
export function servers({ servers: old, origin }: Api, { servers: next, origin: here }: Api, at: At): void {
  const { both, removed, added } = matched(old, next, ({ url }) => url);
  for (const { url } of added) report(at, "server-added", { new: url, here });
  for (const { url } of removed) report(at, "server-removed", { old: url, gone: origin });
  const first = { old: old[0]?.url, new: next[0]?.url };
  if (first.old !== first.new && next.some(({ url }) => url === first.old))
    report(at, "server-default-changed", { ...first, here });
  for (const [before, after] of both)
    text({ ...before, origin }, { ...after, origin: here }, { ...at, thing: `the server ${after.url}` });
}

/** Compares the servers of one operation. Without its own, an operation uses those of the API. */
export function ownServers(old: Operation, next: Operation, at: At): void {
  const urls = ({ servers: all }: Operation): string => listed(all.map(({ url }) => url)) || "the servers of the API";
  if (urls(old) !== urls(next)) {
    report(at, "operation-servers-changed", { what: whatAt(at), old: urls(old), new: urls(next), here: next.origin });
    return;
  }
  for (const [index, server] of next.servers.entries())
    text(
      { ...old.servers[index], origin: old.origin },
      { ...server, origin: next.origin },
      { ...at, thing: `the server ${server.url}` },
    );
}
