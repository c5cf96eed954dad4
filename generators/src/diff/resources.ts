import type { Api, Resource } from "../model/api.js";
import { report, type At } from "./comparison.js";
import { matched } from "./matched.js";
import { sameBut } from "./same.js";
import { listed, short } from "./short.js";

/** Compares resources: their owners, and the operations that list, read and delete them. */
export function resources(old: Api, next: Api, at: At): void {
  const { both, removed, added } = matched(old.resources, next.resources, ({ name }) => name);
  for (const [was, after] of both) {
    const before = renamed(was, at);
    const here = after.origin;
    const [owner, nextOwner] = [before, after].map((each) => listed(each.owner) || "no owner");
    if (owner !== nextOwner)
      report(at, "resource-owner-changed", { what: after.name, old: owner, new: nextOwner, here });
    if (sameBut(["owner"], before, after)) continue;
    report(at, "resource-changed", { what: after.name, old: shown(before), new: shown(after), here });
  }
  for (const { name, origin } of added) report(at, "resource-added", { what: name, here: origin });
  for (const { name, origin } of removed) report(at, "resource-removed", { what: name, gone: origin });
}

/** A resource with the current names of its operations. */
function renamed(resource: Resource, { comparison }: At): Resource {
  const { list, read, delete: remove } = resource;
  return {
    ...resource,
    ...(list === undefined ? {} : { list: comparison.called(list) }),
    ...(read === undefined ? {} : { read: comparison.called(read) }),
    ...(remove === undefined ? {} : { delete: comparison.called(remove) }),
  };
}

function shown({ parent, grants, public: open, list, read, delete: remove }: Resource): string {
  const parts = {
    of: parent,
    "granted by": grants,
    "public where": open && short(open),
    "listed by": list,
    "read by": read,
    "deleted by": remove,
  };
  return (
    Object.entries(parts)
      .flatMap(([says, value]) => (value === undefined ? [] : [`${says} ${value}`]))
      .join(", ") || "alone"
  );
}
