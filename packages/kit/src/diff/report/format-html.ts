import { escapeControlCharacters } from "../../model/index.js";
import {
  breaksRequests,
  formatAcceptance,
  formatCounts,
  formatLocation,
  formatOperations,
  implementersTitle,
  splitByBreaking,
  type DiffReport,
  type ReportedDifference,
} from "./diff-report.js";

/** Formats the report as a page of HTML that needs no other file and runs no script: a changelog for those who use the API. */
export function formatDiffAsHtml({ differences, packages }: DiffReport): string {
  const [breaking, others] = splitByBreaking(differences);
  const counts = differences.length === 0 ? "The API is the same." : formatCounts(differences);
  const releases = packages.map(({ name, bump }) => `<li>${escape(name)}: ${bump}</li>`).join("");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Changes of the API</title>
<style>${style}</style>
<h1>Changes of the API</h1>
<p>${counts}</p>
${section("Breaking", breaking.filter(breaksRequests))}${section(
    implementersTitle,
    breaking.filter((each) => !breaksRequests(each)),
  )}${section("Not breaking", others)}${releases === "" ? "" : `<h2>Releases</h2>\n<ul>${releases}</ul>\n`}</html>
`;
}

const style = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
li { margin-bottom: 0.75rem; }
small { opacity: 0.75; }
`;

function section(title: string, differences: readonly ReportedDifference[]): string {
  if (differences.length === 0) return "";
  return `<h2>${title} (${differences.length})</h2>\n<ul>\n${differences.map(item).join("\n")}\n</ul>\n`;
}

function item(difference: ReportedDifference): string {
  const { code, breaking, message, reason, origin } = difference;
  const place = [formatOperations(difference), formatLocation(difference), `${origin.file}:${origin.line}`];
  const where = place.filter((part) => part !== "" && part !== "operation").map(escape);
  const parties = breaking.length === 0 ? "" : `Breaks ${breaking.join(", ")}. `;
  return `<li><strong>${escape(message)}</strong><br>${escape(`${reason}${formatAcceptance(difference)}`)}<br><small>${parties}<code>${code}</code> ${where.join(" · ")}</small></li>`;
}

function escape(text: string): string {
  return escapeControlCharacters(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
