import { createHash } from "node:crypto";
import type { RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import { showReport } from "./html/browser.js";
import { style } from "./html/style.js";
import { reportData, type JsonReport } from "./json.js";
import type { RunFacts } from "./reproduce.js";
import { duration, many } from "./words.js";

/**
 * Formats a run as one HTML file that loads nothing else: requirements, cases, timings, and the exchanges of failed cases. Responses of the
 * server are escaped, so they cannot become markup or scripts.
 */
export function htmlReport(report: RunReport, suite: Suite, facts: RunFacts): string {
  const data = reportData(report, suite, facts);
  const script = `(${String(showReport)})(JSON.parse(document.getElementById("data").textContent));`;
  // The policy allows only this script and this style: a second defence after escaping.
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(`${report.passed ? "Holds" : "Does not hold"}: ${suite.title} ${suite.version}`)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escaped(suite.title)} <small>${escaped(suite.version)}</small></h1>
<p class="verdict ${report.passed ? "pass" : "fail"}">${escaped(verdictOf(data))}</p>
<p>${escaped(factsOf(report))}</p>
${problemsOf(report)}</header>
<main id="main"><noscript><p>The tables of this page need its script, which is turned off. The JSON report has the same data.</p></noscript></main>
<script type="application/json" id="data">${embedded(shortBodies(data))}</script>
<script>${script}</script>
</body>
</html>
`;
}

function verdictOf({ passed, counts, cases, problems }: JsonReport): string {
  if (passed) return "All cases passed";
  if (cases.length === 0) return "Failed: no check was executed";
  if (counts.fail > 0) return `${many(counts.fail, "case")} failed`;
  if (problems.length + counts["unexpected-pass"] + counts["could-not-run"] > 0) return "Failed, for the reasons below";
  return "All executed cases passed; skipped cases were not checked";
}

function factsOf({ url, started, took, requests, seed, runId }: RunReport): string {
  return `${url}, ${started}, ${many(requests, "request")} in ${duration(took * 1000)}. Seed ${seed}, run ${runId}.`;
}

function problemsOf({ problems }: RunReport): string {
  if (problems.length === 0) return "";
  return `<h2>Errors outside of cases</h2>\n<ul>\n${problems.map((each) => `<li>${escaped(each)}</li>`).join("\n")}\n</ul>\n`;
}

const longestBody = 4000; // characters; with thousands of failures the page still opens at once

function shortBodies(data: JsonReport): JsonReport {
  const short = (text: string): string =>
    text.length <= longestBody
      ? text
      : `${text.slice(0, longestBody)}\n… the JSON report has all ${text.length.toLocaleString("en-US")} characters`;
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
