// Writes a report as the one comment of Plumbline on a pull request, and updates it in later runs. action.yml runs it: node pull-request-comment.mjs FILE.
import { readFileSync } from "node:fs";
import process from "node:process";

/** The first line of the comment, by which later runs find it. */
const marker = "<!-- plumbline diff -->";
/** GitHub's limit of a comment is 65,536 characters; the rest is for the marker and the note. */
const maxReportCharacters = 60_000;
/** Milliseconds that one request may take. */
const requestTimeoutMs = 30_000;
const commentsPerPage = 100;

const [file = ""] = process.argv.slice(2);
const { GITHUB_API_URL = "", GITHUB_REPOSITORY = "", PULL_REQUEST = "", TOKEN = "" } = process.env;
const comments = `/repos/${GITHUB_REPOSITORY}/issues/${PULL_REQUEST}/comments`;

const body = formatComment(readFileSync(file, "utf8"));
const existing = await findComment();
const response =
  existing === undefined
    ? await request(comments, { method: "POST", body: JSON.stringify({ body }) })
    : await request(`/repos/${GITHUB_REPOSITORY}/issues/comments/${existing}`, {
        method: "PATCH",
        body: JSON.stringify({ body }),
      });
// The token of a pull request from a fork may only read. The summary of the job has the report, too.
if (response.status === 403) console.log("::warning::The token may not comment on this pull request.");
else if (!response.ok) throw new Error(`GitHub responded with ${response.status}: ${await response.text()}`);

/** @param {string} report */
function formatComment(report) {
  const isShort = report.length <= maxReportCharacters;
  const shown = isShort
    ? report
    : `${report.slice(0, maxReportCharacters)}\n\nThe summary of the job has the complete report.`;
  return `${marker}\n${shown}`;
}

/** @returns {Promise<number | undefined>} the id of the comment of an earlier run */
async function findComment() {
  for (let page = 1; ; page += 1) {
    const listed = await request(`${comments}?per_page=${commentsPerPage}&page=${page}`, { method: "GET" });
    if (!listed.ok) throw new Error(`GitHub responded with ${listed.status}: ${await listed.text()}`);
    const found = /** @type {{ id: number, body: string, user: { type: string } }[]} */ (await listed.json());
    // A person may quote the marker.
    const own = found.find((each) => each.user.type === "Bot" && each.body.startsWith(marker));
    if (own !== undefined || found.length < commentsPerPage) return own?.id;
  }
}

/**
 * @param {string} target
 * @param {{ method: string, body?: string }} init
 */
async function request(target, init) {
  const headers = {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${TOKEN}`,
    "content-type": "application/json",
    "user-agent": "plumbline",
  };
  return fetch(`${GITHUB_API_URL}${target}`, { ...init, headers, signal: AbortSignal.timeout(requestTimeoutMs) });
}
