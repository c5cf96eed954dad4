// Checks the subjects of commits: imperative, at most 72 characters, `scope: what`. Usage: node test/commit-subjects.mjs [FOLDER [COMMIT]]
// Exit codes: 0 all fit, or the history is not there; 1 some do not.
import { execFileSync } from "node:child_process";
import process from "node:process";

/** Commits that follow this one are checked. */
const firstUnchecked = "3b2cf4b2";
const maxLength = 72;
/** Imperatives that end like another form of a verb. */
const lookalikes =
  /^(embed|feed|need|seed|speed|shed|exceed|proceed|succeed|bring|string|ping|focus|canvas|alias|bias|bypass|pass|process|address|compress|express|press|discuss|miss|guess|assess|access|cross|dismiss|suppress|unless)$/;

const [folder = ".", after = firstUnchecked] = process.argv.slice(2);
const reason = missingHistory();
if (reason === undefined) report();
else console.log(`Commit subjects: not checked, because ${reason}.`);

/** @returns {string | undefined} undefined: the history is complete */
function missingHistory() {
  if (tryGit("rev-parse", "--is-shallow-repository")?.trim() !== "false") return "this is a shallow clone";
  if (tryGit("merge-base", "--is-ancestor", after, "HEAD") === undefined) return `its history lacks ${after}`;
  return undefined;
}

function report() {
  const subjects = (tryGit("log", "--no-merges", "--format=%h %s", `${after}..HEAD`) ?? "").split("\n").filter(Boolean);
  const errors = subjects.flatMap((line) => {
    const [hash = "", ...words] = line.split(" ");
    return findErrors(words.join(" ")).map((error) => `${hash} "${words.join(" ")}": ${error}`);
  });
  for (const error of errors) console.error(error);
  console.log(`Commit subjects: ${subjects.length} checked, ${errors.length} errors.`);
  process.exitCode = errors.length > 0 ? 1 : 0;
}

/**
 * @param {string} subject
 * @returns {string[]}
 */
function findErrors(subject) {
  const verb = /^[\w@/., -]+: (\S+)/.exec(subject)?.[1];
  return [
    subject.length > maxLength ? `has ${subject.length} characters; at most ${maxLength} are allowed` : undefined,
    verb === undefined ? "has no scope. Write `scope: what`, such as `generators: cache conformance cases`" : undefined,
    verb !== undefined && !isImperative(verb)
      ? `"${verb}" is not an imperative. Write "add", not "added" or "adds"`
      : undefined,
  ].filter((error) => error !== undefined);
}

/** @param {string} verb */
function isImperative(verb) {
  return /^[a-z][a-z-]*$/.test(verb) && (lookalikes.test(verb) || !/(ed|ing|[^s]s)$/.test(verb));
}

/**
 * @param {readonly string[]} args
 * @returns {string | undefined} undefined: git failed
 */
function tryGit(...args) {
  try {
    return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return undefined;
  }
}
