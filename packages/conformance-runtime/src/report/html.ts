import { createHash } from "node:crypto";
import type { RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import { formatDuration, formatQuickSummary, groupByKey, pluralize } from "./format-text.js";
import { renderReport, type PageParts } from "./html/browser.js";
import { CaseRows } from "./html/case-rows.js";
import { CasesTab } from "./html/cases-tab.js";
import { CausesTab } from "./html/causes-tab.js";
import { PageElements } from "./html/elements.js";
import { RequirementsTab } from "./html/requirements-tab.js";
import { reportStyle } from "./html/style.js";
import { showTimings } from "./html/timings-tab.js";
import { toJsonReport, type JsonReport } from "./json.js";
import type { RunInfo } from "./reproduce.js";
import { formatUnverifiedOperations } from "./unverified-operations.js";

/**
 * Formats a run as one HTML file that loads nothing else: what to fix first, requirements, cases, timings, and the exchanges of failed cases. Responses of the
 * server are escaped, so they cannot become markup or scripts.
 */
export function formatHtmlReport(report: RunReport, suite: Suite, facts: RunInfo): string {
  const data = toJsonReport(report, suite, facts);
  const parts = Object.entries(pageParts).map(([name, part]) => `${name}: ${String(part)}`);
  const script = `(${String(renderReport)})(JSON.parse(document.getElementById("data").textContent), {${parts.join(",\n")}});`;
  // The policy allows only this script and this style: a second defence after escaping.
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(reportStyle)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(`${report.passed ? "Holds" : "Does not hold"}: ${suite.title} ${suite.version}`)}</title>
<style>${reportStyle}</style>
</head>
<body>
<header>
<h1>${escaped(suite.title)} <small>${escaped(suite.version)}</small></h1>
<p class="verdict ${report.passed ? "pass" : "fail"}">${escaped(formatVerdict(data))}</p>
<p>${escaped(factsOf(report))}</p>
${formatQuick(report)}${formatStop(report)}${formatErrors(report)}${formatUnverified(data)}</header>
<main id="main"><noscript><p>The tables of this page need its script, which is turned off. The JSON report has the same data.</p></noscript></main>
<script type="application/json" id="data">${embedded(shortBodies(data))}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** The functions and classes of the script. Their texts are embedded. */
const pageParts: PageParts = {
  groupByKey,
  pluralize,
  PageElements,
  CaseRows,
  CasesTab,
  CausesTab,
  RequirementsTab,
  showTimings,
};

function formatVerdict({ passed, counts, cases, errors }: JsonReport): string {
  if (passed) return "All cases passed";
  if (cases.length === 0) return "Failed: no check was executed";
  if (counts.fail > 0) return `${pluralize(counts.fail, "case")} failed`;
  if (errors.length + counts["unexpected-pass"] + counts.error > 0) return "Failed, for the reasons below";
  return "All executed cases passed; skipped cases were not checked";
}

function factsOf({ url, started, durationSeconds, requests, seed, runId }: RunReport): string {
  return `${url}, ${started}, ${pluralize(requests, "request")} in ${formatDuration(durationSeconds * 1000)}. Seed ${seed}, run ${runId}.`;
}

function formatQuick({ quick }: RunReport): string {
  return quick === undefined ? "" : `<p>${escaped(formatQuickSummary(quick))}</p>\n`;
}

function formatStop({ stopped }: RunReport): string {
  return stopped === undefined ? "" : `<p class="fail">Stopped early. ${escaped(stopped.text)}</p>\n`;
}

function formatErrors({ errors }: RunReport): string {
  if (errors.length === 0) return "";
  return `<h2>Errors outside of cases</h2>\n<ul>\n${errors.map((each) => `<li>${escaped(each)}</li>`).join("\n")}\n</ul>\n`;
}

function formatUnverified({ unverified = [] }: JsonReport): string {
  const [title, ...lines] = formatUnverifiedOperations(unverified);
  const advice = lines.at(-1);
  if (title === undefined || advice === undefined) return "";
  const items = lines.slice(0, -1).map((each) => `<li>${escaped(each.trim())}</li>`);
  return `<h2>${escaped(title.replace(/:$/, ""))}</h2>\n<ul>\n${items.join("\n")}\n</ul>\n<p>${escaped(advice)}</p>\n`;
}

const maxBodyCharacters = 4000; // characters; with thousands of failures the page still opens at once

function shortBodies(data: JsonReport): JsonReport {
  const short = (text: string): string =>
    text.length <= maxBodyCharacters
      ? text
      : `${text.slice(0, maxBodyCharacters)}\n… the JSON report has all ${text.length.toLocaleString("en-US")} characters`;
  const cases = data.cases.map((each) =>
    each.exchanges === undefined
      ? each
      : {
          ...each,
          exchanges: each.exchanges.map((exchange) => ({
            ...exchange,
            body: short(exchange.body),
            ...(exchange.requestBody === undefined ? {} : { requestBody: short(exchange.requestBody) }),
          })),
          ...(each.curl === undefined ? {} : { curl: each.curl.map(short) }),
        },
  );
  return { ...data, cases };
}

/** JSON for a script element: without `<` it cannot end the element or begin a comment. */
function embedded(data: JsonReport): string {
  return JSON.stringify(data)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
