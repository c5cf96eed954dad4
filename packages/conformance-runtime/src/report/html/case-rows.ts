import type { JsonCase, JsonReport, JsonRequirement } from "../json.js";
import type { PageElements } from "./elements.js";

/** Rows of cases, and lines of requirements. */
export interface CaseRows {
  /** A row that shows the details of a case when it is opened. */
  readonly caseRow: (each: JsonCase) => Element;
  /** The differences, exchanges and commands of a case. */
  readonly caseDetails: (each: JsonCase) => Element;
  readonly requirementLine: (id: string) => Element;
  readonly statedAt: (requirement: JsonRequirement) => string;
}

/** Embedded as text: uses only the browser and its arguments. */
export function createCaseRows(
  report: JsonReport,
  { element, badge, formatTime }: Pick<PageElements, "element" | "badge" | "formatTime">,
): CaseRows {
  const requirements = new Map(report.requirements.map((each) => [each.id, each]));

  const statedAt = ({ document: name, line }: JsonRequirement): string =>
    `${/^\d+$/.test(name) ? `document ${name}` : name}, line ${line}`;

  function differencesOf(each: JsonCase): readonly Element[] {
    return (each.failures ?? []).flatMap(({ message, expected, received, requirements: named }) => [
      element("h3", {}, message),
      element(
        "div",
        { class: "expected" },
        element("span", { class: "quiet" }, "expected"),
        element("pre", {}, expected),
        element("span", { class: "quiet" }, "received"),
        element("pre", {}, received),
      ),
      ...named.map(requirementLine),
    ]);
  }

  function requirementLine(id: string): Element {
    const known = requirements.get(id);
    const where = known === undefined ? "" : ` (${[statedAt(known), ...known.locations].join("; ")})`;
    const place = element("span", { class: "quiet" }, where);
    return element("p", {}, element("code", {}, id), known === undefined ? "" : ` ${known.text}`, place);
  }

  function exchangesOf(each: JsonCase): readonly Element[] {
    const headers = (all: Readonly<Record<string, string>>): string =>
      Object.entries(all)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join("");
    return (each.exchanges ?? []).map((one, index) => {
      const summary = element(
        "summary",
        {},
        `${index + 1}. ${one.method} ${one.url} as ${one.caller}: ${one.status}, ${formatTime(one.durationMs)}`,
      );
      const request = `${one.method} ${one.url}\n${headers(one.requestHeaders)}\n${one.requestBody ?? ""}`.trimEnd();
      const response = `${one.status}\n${headers(one.headers)}\n${one.body}`.trimEnd();
      const isShown = each.failures?.some(({ exchange }) => exchange === index) === true;
      return element(
        "details",
        isShown ? { open: "" } : {},
        summary,
        element("pre", {}, request),
        element("pre", {}, response),
      );
    });
  }

  function caseDetails(each: JsonCase): Element {
    const parts: Node[] = [...differencesOf(each)];
    if (each.missing !== undefined) parts.push(element("p", {}, `Missing: ${each.missing.join(", ")}`));
    if (each.failures === undefined) parts.push(...each.requirements.map(requirementLine));
    if (each.exchanges !== undefined) parts.push(element("h3", {}, "Exchanges"), ...exchangesOf(each));
    if (each.curl !== undefined) parts.push(element("h3", {}, "Reproduce"), element("pre", {}, each.curl.join("\n")));
    if (each.reproduce !== undefined) parts.push(element("h3", {}, "Run again"), element("pre", {}, each.reproduce));
    return element("div", {}, ...parts);
  }

  function caseRow(each: JsonCase): Element {
    const summary = element(
      "summary",
      {},
      badge(each.status),
      element(
        "span",
        {},
        element("code", {}, each.id),
        element("br", {}),
        element("span", { class: "quiet" }, each.title),
      ),
      element("span", { class: "wide" }, each.kind),
      element("span", { class: "wide number" }, `${each.requests} ${each.requests === 1 ? "request" : "requests"}`),
      element("span", { class: "wide number" }, formatTime(each.durationMs)),
    );
    const row = element("details", { class: "case" }, summary);
    row.addEventListener("toggle", () => {
      if (row.open && row.childElementCount === 1) row.append(caseDetails(each));
    });
    return row;
  }

  return { caseRow, caseDetails, requirementLine, statedAt };
}
