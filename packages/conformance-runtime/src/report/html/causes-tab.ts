import type { JsonCase, JsonCause, JsonReport } from "../json.js";
import type { CaseRows } from "./case-rows.js";
import type { PageElements } from "./elements.js";

/**
 * The first screen: how many requirements hold, and what to fix, the most fundamental cause first. Embedded as text: uses only the browser
 * and its arguments.
 */
export function createCausesTab(report: JsonReport, page: PageElements, rows: CaseRows): (into: Element) => void {
  const { element, appendPortions, createSearch } = page;
  const cases = new Map(report.cases.map((each) => [each.id, each]));
  const requirements = new Map(report.requirements.map((each) => [each.id, each]));
  const maxRequirements = 5;
  const plural = (count: number, noun: string): string =>
    `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

  /** One sentence of numbers, with a bar. */
  function overview(): Element {
    const count = (...statuses: readonly string[]): number =>
      report.requirements.filter(({ status }) => statuses.includes(status)).length;
    const shares = [
      { name: "holds", text: "confirmed", count: count("holds") },
      { name: "failed", text: "broken", count: count("failed") },
      { name: "skipped", text: "not checked", count: count("skipped", "error", "not-selected", "untested") },
    ].filter((each) => each.count > 0);
    const bar = element("div", { class: "bar", "aria-hidden": "true" });
    for (const each of shares) {
      const part = element("span", { class: each.name });
      part.style.flexGrow = String(each.count);
      bar.append(part);
    }
    const sentence = shares.map((each) => `${each.count.toLocaleString("en-US")} ${each.text}`).join(", ");
    const all = plural(report.requirements.length, "requirement");
    const open = report.causes.reduce((sum, each) => sum + each.cases.length, 0);
    const causes =
      report.causes.length === 0
        ? "No executed case failed."
        : `${plural(open, "case")} did not pass, for ${plural(report.causes.length, "reason")}. The first reasons may be the cause of later ones.`;
    const lines =
      report.requirements.length === 0 ? [] : [bar, element("p", {}, `${all} of the documents: ${sentence}.`)];
    return element("div", { class: "overview" }, ...lines, element("p", {}, causes));
  }

  function causeDetails({ advice, blocked, cases: ids, operations, requirements: broken }: JsonCause): Element {
    const those = ids.map((id) => cases.get(id)).filter((each): each is JsonCase => each !== undefined);
    const list = element("div", {});
    const more = appendPortions(list, those, rows.caseRow);
    const parts: Node[] = [element("p", {}, advice)];
    if (blocked > 0 && blocked < ids.length)
      parts.push(element("p", { class: "quiet" }, `${plural(blocked, "case")} could not run because of it.`));
    if (operations.length > 1) parts.push(element("p", { class: "quiet" }, `Operations: ${operations.join(", ")}`));
    if (broken.length > 0) {
      parts.push(
        element("h3", {}, "What the documents require"),
        ...broken.slice(0, maxRequirements).map(rows.requirementLine),
      );
      if (broken.length > maxRequirements)
        parts.push(element("p", { class: "quiet" }, `and ${broken.length - maxRequirements} more`));
    }
    return element("div", {}, ...parts, element("h3", {}, "Cases, the simplest first"), list, more);
  }

  function causeRow(cause: JsonCause): HTMLDetailsElement {
    const number = report.causes.indexOf(cause) + 1;
    const summary = element(
      "summary",
      {},
      element("span", { class: "number" }, `${number}.`),
      element("span", {}, cause.title),
      element(
        "span",
        { class: "wide number quiet" },
        cause.requirements.length === 0 ? "" : plural(cause.requirements.length, "requirement"),
      ),
      element("span", { class: "number" }, plural(cause.cases.length, "case")),
    );
    const row = element("details", { class: "cause" }, summary);
    row.addEventListener("toggle", () => {
      if (row.open && row.childElementCount === 1) row.append(causeDetails(cause));
    });
    return row;
  }

  const search = createSearch("Reason, operation, case or requirement");
  const textOf = ({ title, operations, cases: ids, requirements: broken }: JsonCause): string =>
    [title, ...operations, ...ids, ...broken, ...broken.map((id) => requirements.get(id)?.text ?? "")]
      .join(" ")
      .toLowerCase();

  const place = element("div", { id: "causes" });
  search.addEventListener("input", fill);

  function fill(): void {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = report.causes.filter((each) => words.every((word) => textOf(each).includes(word)));
    const list = element("div", {});
    place.replaceChildren(list, appendPortions(list, wanted, causeRow));
    const first = list.querySelector("details");
    const [cause] = wanted;
    if (first === null || cause === undefined) return;
    first.append(causeDetails(cause));
    first.open = true;
  }

  return (into) => {
    const filters = report.causes.length > 1 ? [element("div", { class: "filters" }, search)] : [];
    into.append(overview(), ...filters, place);
    fill();
  };
}
