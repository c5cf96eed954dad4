import type { ErrorTemplate } from "@plumbline/server-runtime";

/** Where a documented error body has its entries, and where an entry has its field and its reason: names from the outside to the inside. */
export interface ErrorFormat {
  /** The list of entries. Absent: the body itself is the only entry. */
  readonly entries?: readonly string[];
  /** Absent: entries do not say their field. */
  readonly field?: readonly string[];
  readonly reason: readonly string[];
}

/** Returns the format of the bodies that a template fills. `undefined` if they have no reason. */
export function errorFormat(template: ErrorTemplate): ErrorFormat | undefined {
  const list = findIn(template, (each) => "each" in each);
  const entry = list !== undefined && "each" in list.template ? formatOf(list.template.each) : undefined;
  return list === undefined || entry === undefined ? formatOf(template) : { entries: list.at, ...entry };
}

function formatOf(entry: ErrorTemplate): ErrorFormat | undefined {
  const reason = findIn(entry, (each) => "from" in each && /^reasons?$/.test(each.from));
  const field = findIn(entry, (each) => "from" in each && (each.from === "field" || each.from === "location"));
  if (reason === undefined) return undefined;
  return { ...(field === undefined ? {} : { field: field.at }), reason: reason.at };
}

interface Found {
  readonly at: readonly string[];
  readonly template: ErrorTemplate;
}

function findIn(
  template: ErrorTemplate,
  isMeant: (template: ErrorTemplate) => boolean,
  at: readonly string[] = [],
): Found | undefined {
  if (isMeant(template)) return { at, template };
  if (!("object" in template)) return undefined;
  for (const [name, each] of Object.entries(template.object)) {
    const found = findIn(each, isMeant, [...at, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
