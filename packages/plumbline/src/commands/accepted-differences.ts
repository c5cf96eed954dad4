import path from "node:path";
import { affectedParties, type AffectedParty, type ReportedDifference } from "@plumbline/kit/diff";
import { type Diagnostic, DiagnosticsError, pickDefined } from "@plumbline/kit/model";
import { readSource, SpecNode } from "@plumbline/kit/openapi/files";

/** A difference that a person has accepted for some time, or whose severity a person has decided. */
interface Acceptance {
  readonly code: string;
  /** An operation that the difference is about, such as `GET /pets`. Undefined: any. */
  readonly operation: string | undefined;
  readonly reason: string;
  /** The last day, such as `2027-01-31`. Empty with `breaks`. */
  readonly until: string;
  /** Whom it breaks, in place of what its rule says. */
  readonly breaks: readonly AffectedParty[] | undefined;
  /** Such as `accepted.yaml:4`. */
  readonly place: string;
}

/** What a file accepts of the differences of a run. */
export interface AcceptedDifferences {
  /** Returns a difference of the run, marked if it is accepted. */
  readonly mark: (difference: ReportedDifference) => ReportedDifference;
  /** What to change in the file: entries that have ended, or that accept nothing. */
  readonly reminders: readonly string[];
}

/**
 * Finds the differences that a file accepts.
 *
 * @param file - The file, relative to `folder`: a list of `code`, `operation`, `reason`, and `until` or `breaks`.
 * @param today - Such as `2026-11-29`.
 * @throws DiagnosticsError for a file that is missing or not valid
 */
export async function readAcceptedDifferences(
  differences: readonly ReportedDifference[],
  { file, folder, today }: { readonly file: string; readonly folder: string; readonly today: string },
): Promise<AcceptedDifferences> {
  const all = await readAcceptances(file, folder);
  const used = new Set<Acceptance>();
  const marked = new Map<ReportedDifference, ReportedDifference>();
  for (const difference of differences) {
    const matching = all.filter((each) => accepts(each, difference));
    for (const each of matching) used.add(each);
    const valid = matching.find(({ breaks, until }) => breaks === undefined && until >= today);
    const severity = matching.find(({ breaks }) => breaks !== undefined);
    marked.set(difference, {
      ...difference,
      ...pickDefined("breaking", severity?.breaks),
      ...(valid && { accepted: { reason: valid.reason, until: valid.until } }),
    });
  }
  const reminders = all.flatMap((each) => {
    if (each.breaks !== undefined) return [];
    if (!used.has(each)) return [`${each.place}: nothing of ${each.code} differs any more. Remove the entry.`];
    return each.until < today ? [`${each.place}: ${each.code} was accepted until ${each.until}.`] : [];
  });
  return { mark: (difference) => marked.get(difference) ?? difference, reminders };
}

function accepts({ code, operation }: Acceptance, { code: found, where }: ReportedDifference): boolean {
  return code === found && (operation === undefined || where.operations.includes(operation));
}

const keys: readonly string[] = ["code", "operation", "reason", "until", "breaks"];

async function readAcceptances(file: string, folder: string): Promise<readonly Acceptance[]> {
  const diagnostics: Diagnostic[] = [];
  const source = await readSource(path.resolve(folder, file), folder).catch((error: unknown) => {
    if (error instanceof DiagnosticsError) throw error;
    const origin = { file, pointer: "", line: 1, column: 1 };
    const message = "The file is not readable.";
    throw new DiagnosticsError([{ code: "description/unreadable", severity: "error", origin, message }]);
  });
  const root = SpecNode.root(source, { find: () => undefined, report: (each) => diagnostics.push(each) });
  if (!Array.isArray(root.raw))
    root.report(
      "config/value",
      "This is no list.",
      "Write a list of {code, reason, until} and {code, reason, breaks}.",
    );
  const acceptances = root.items().map((entry) => readAcceptance(entry, file));
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  return acceptances;
}

function readAcceptance(entry: SpecNode, file: string): Acceptance {
  for (const [key, child] of entry.entries())
    if (!keys.includes(key)) child.report("config/unknown", `Unknown key "${key}".`, `Known keys: ${keys.join(", ")}.`);
  const required = (key: string): string => {
    const text = entry.text(key) ?? "";
    if (text === "") entry.report("config/value", `\`${key}\` is missing.`, `Write ${key}: …`);
    return text;
  };
  const breaks = entry.has("breaks") ? entry.get("breaks")?.items().map(readParty) : undefined;
  const until = entry.has("breaks") ? "" : required("until");
  // A day that is not in the calendar, such as 2026-02-30, is no date or another one.
  const date = new Date(`${until}T00:00:00Z`);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(until) && !Number.isNaN(date.getTime()) && date.toJSON().startsWith(until);
  if (until !== "" && !isDay) entry.report("config/value", `"${until}" is no day.`, "Write it as '2027-01-31'.");
  const operation = entry.text("operation");
  const { line } = entry.located;
  return { code: required("code"), operation, reason: required("reason"), until, breaks, place: `${file}:${line}` };
}

function readParty(place: SpecNode): AffectedParty {
  const party = affectedParties.find((each) => each === place.raw);
  if (party === undefined)
    place.report("config/value", "This is no party.", `Write one of ${affectedParties.join(", ")}.`);
  return party ?? "wire";
}
