import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { mixedReport, exampleSuite, passedResult, exampleReport } from "./example-report.support.js";
import { formatHtmlReport } from "./html.js";

const page = formatHtmlReport(mixedReport, exampleSuite, {});

/** Chromium, if it is installed. */
const chromium = (process.env["PATH"] ?? "")
  .split(":")
  .map((folder) => join(folder, "chromium"))
  .find((file) => existsSync(file));

describe.skipIf(chromium === undefined)("the HTML report in a browser", () => {
  it("shows a row for each case that failed, with its own script alone", () => {
    const shown = shownOf(page);
    const rows = [...shown.matchAll(/<details class="case"[^>]*><summary>.*?<code>([^<]*)<\/code>/g)];
    const failed = mixedReport.results.filter(({ status }) => status === "fail").map(({ case: { id } }) => id);
    expect(failed.length).toBeGreaterThan(0);
    expect(rows.map(([, id]) => id)).toEqual(expect.arrayContaining(failed));
  });

  it("shows a row for each case where none failed", () => {
    const ids = exampleSuite.cases.map(({ id }) => id);
    const shown = shownOf(formatHtmlReport(exampleReport(ids.map((id) => passedResult(id))), exampleSuite, {}));
    expect(
      [...shown.matchAll(/<details class="case"[^>]*><summary>.*?<code>([^<]*)<\/code>/g)].map(([, id]) => id),
    ).toEqual(ids);
  });

  it("begins with what to fix", () => {
    const shown = shownOf(page);
    expect(shown).toContain("5 requirements of the documents: 1 confirmed, 1 broken, 3 not checked.");
    const rows = [...shown.matchAll(/<details class="cause"[^>]*><summary>.*?<\/summary>/g)].map(([row]) =>
      row
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
    expect(rows).toEqual([
      "1. POST /notes: HTTP status: 201, expected 400 1 requirement 1 case",
      "2. The server does not respond 1 case",
    ]);
  });

  it("shows the tree of requirements in its tab", () => {
    const tab = `[...document.querySelectorAll("[role=tab]")].find((each) => each.textContent === "Requirements")`;
    const shown = shownOf(asking(page, `${tab}.click()`));
    for (const [id, { text }] of Object.entries(exampleSuite.requirements)) {
      expect(shown).toContain(id);
      expect(shown).toContain(text);
    }
    expect(shownOf(page)).not.toContain("Only its owner sees a note.");
  });
});

/** The page with a script that runs after loading; its policy blocks any other script. */
function asking(text: string, script: string): string {
  const open = text.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
  return open.replace("</body>", () => `<script>${script}</script></body>`);
}

/** The rendered page, without its data and scripts. */
function shownOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-report-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "report.html");
  writeFileSync(file, text);
  // As root, as in a container, Chromium has no sandbox.
  const options = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${join(folder, "profile")}`];
  const args = [...options, "--dump-dom", pathToFileURL(file).href];
  const { status, stdout } = spawnSync(chromium ?? "", args, { encoding: "utf8", timeout: 60_000 });
  expect(status).toBe(0);
  return stdout.replaceAll(/<script\b[^]*?<\/script>/g, "");
}
