import type { Api, Resource } from "../../model/index.js";
import { isDeepEqualExcept } from "../deep-equal.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";
import { joinValues, shorten } from "../shorten.js";

/** Compares resources: their owners, and the operations that list, read and delete them. */
export function compareResources(old: Api, next: Api, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.resources, next.resources, ({ name }) => name);
  for (const [was, after] of both) {
    const before = withCurrentNames(was, at);
    const here = after.origin;
    const [owner, nextOwner] = [before, after].map((each) => joinValues(each.owner) || "no owner");
    if (owner !== nextOwner)
      reportDifference(at, "resource-owner-changed", {
        subject: after.name,
        old: owner,
        new: nextOwner,
        newOrigin: here,
      });
    if (isDeepEqualExcept(["owner"], before, after)) continue;
    reportDifference(at, "resource-changed", {
      subject: after.name,
      old: formatResource(before),
      new: formatResource(after),
      newOrigin: here,
    });
  }
  for (const { name, origin } of added) reportDifference(at, "resource-added", { subject: name, newOrigin: origin });
  for (const { name, origin } of removed)
    reportDifference(at, "resource-removed", { subject: name, oldOrigin: origin });
}

/** A resource with the current names of its operations. */
function withCurrentNames(resource: Resource, { comparison }: ComparisonContext): Resource {
  const { list, read, delete: remove } = resource;
  return {
    ...resource,
    ...(list === undefined ? {} : { list: comparison.currentOperationName(list) }),
    ...(read === undefined ? {} : { read: comparison.currentOperationName(read) }),
    ...(remove === undefined ? {} : { delete: comparison.currentOperationName(remove) }),
  };
}

function formatResource(resource: Resource): string {
  const { parent, grants, public: open, list, read, delete: remove, modified, isLog } = resource;
  const parts = {
    of: parent,
    "granted by": grants,
    "public where": open && shorten(open),
    "listed by": list,
    "read by": read,
    "deleted by": remove,
    "last changed at": modified,
    "entries of": isLog && "a log",
  };
  return (
    Object.entries(parts)
      .flatMap(([says, value]) => (value === undefined ? [] : [`${says} ${value}`]))
      .join(", ") || "alone"
  );
}
