import type { Api, Operation } from "../../model/index.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";
import { joinValues } from "../shorten.js";
import { compareTexts } from "./compare-info.js";

/** Compares the servers of the API. The first one is the default of a client. */
export function compareServers(
  { servers: old, origin }: Api,
  { servers: next, origin: here }: Api,
  at: ComparisonContext,
): void {
  const { both, removed, added } = matchLists(old, next, ({ url }) => url);
  for (const { url } of added) reportDifference(at, "server-added", { new: url, newOrigin: here });
  for (const { url } of removed) reportDifference(at, "server-removed", { old: url, oldOrigin: origin });
  const first = { old: old[0]?.url, new: next[0]?.url };
  if (first.old !== first.new && next.some(({ url }) => url === first.old))
    reportDifference(at, "server-default-changed", { ...first, newOrigin: here });
  for (const [before, after] of both)
    compareTexts({ ...before, origin }, { ...after, origin: here }, { ...at, subject: `the server ${after.url}` });
}

/** Compares the servers of one operation. Without its own, an operation uses those of the API. */
export function compareOperationServers(old: Operation, next: Operation, at: ComparisonContext): void {
  const urls = ({ servers: all }: Operation): string =>
    joinValues(all.map(({ url }) => url)) || "the servers of the API";
  if (urls(old) !== urls(next)) {
    reportDifference(at, "operation-servers-changed", {
      subject: describeValue(at),
      old: urls(old),
      new: urls(next),
      newOrigin: next.origin,
    });
    return;
  }
  for (const [index, server] of next.servers.entries())
    compareTexts(
      { ...old.servers[index], origin: old.origin },
      { ...server, origin: next.origin },
      { ...at, subject: `the server ${server.url}` },
    );
}
