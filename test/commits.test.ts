import { execFileSync } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { repository, temporaryFolder } from "./support/places.js";
import { runNode } from "./support/run.js";

const program = path.join(repository, "test", "commit-subjects.mjs");

describe("commit subjects", () => {
  const errors: Readonly<Record<string, string | undefined>> = {
    "service: add a limit": undefined,
    "test, service: pass what is embedded": undefined,
    [`service: ${"a".repeat(63)}`]: undefined,
    [`service: ${"a".repeat(64)}`]: "has 73 characters; at most 72 are allowed",
    "add a limit": "has no scope",
    "service: added a limit": '"added" is not an imperative',
    "service: adds a limit": '"adds" is not an imperative',
    "service: adding a limit": '"adding" is not an imperative',
    "service: Add a limit": '"Add" is not an imperative',
  };

  it("are imperatives with a scope, of at most 72 characters", async () => {
    const { folder, first } = await repositoryWith(...Object.keys(errors).toReversed());
    const { code, out, error } = await runNode([program, folder, first], { in: repository });
    expect({ code, out }).toEqual({ code: 1, out: "Commit subjects: 9 checked, 6 errors.\n" });
    const wrong = Object.entries(errors).filter(([, message]) => message !== undefined);
    expect(error.trimEnd().split("\n")).toEqual(
      wrong.map(([subject, message]) => expect.stringContaining(`"${subject}": ${message}`) as string),
    );
  });

  it("of merges and of the first commits are not checked", async () => {
    const { folder, first, git } = await repositoryWith("service: add a limit");
    git("checkout", "-q", "-b", "side", first);
    git("commit", "-q", "--allow-empty", "-m", "service: add another");
    git("merge", "-q", "--no-ff", "-m", "Merged by hand", "main");
    const { code, out } = await runNode([program, folder, first], { in: repository });
    expect({ code, out }).toEqual({ code: 0, out: "Commit subjects: 2 checked, 0 errors.\n" });
  });

  it("cannot be checked in a shallow clone, or without the commit to begin after", async () => {
    const { folder, first, git } = await repositoryWith("wrong");
    const shallow = await temporaryFolder();
    git("clone", "-q", "--depth", "1", pathToFileURL(folder).href, shallow);
    const inShallow = await runNode([program, shallow, first], { in: repository });
    expect(inShallow.out).toBe("Commit subjects: not checked, because this is a shallow clone.\n");
    const elsewhere = await runNode([program, folder, "0123abc"], { in: repository });
    expect(elsewhere.out).toBe("Commit subjects: not checked, because its history lacks 0123abc.\n");
    expect([inShallow.code, elsewhere.code]).toEqual([0, 0]);
  });
});

/** A repository of a first commit, and one with each subject. */
async function repositoryWith(...subjects: readonly string[]) {
  const folder = await temporaryFolder();
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", folder, ...identity, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "First");
  const first = git("rev-parse", "HEAD").trim();
  for (const subject of subjects) git("commit", "-q", "--allow-empty", "-m", subject);
  return { folder, first, git };
}
