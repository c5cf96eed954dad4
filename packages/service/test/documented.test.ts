import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { further, operations as table } from "../../../test/operations.js";
import { answersOf, type Answered } from "../src/answers.support.js";
import { documentedAnswers, documentedOperations, seenIn, undocumentedIn } from "../src/documented.support.js";
import { isFull } from "./support/form.js";

const operations = documentedOperations();

/**
 * What no request can provoke, and why: the name of an operation and of its failure, or the failure alone where it is no
 * operation's. One that is seen all the same fails.
 */
const unreachable: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    operations
      .filter(({ hasBody, hasPages, failures }) => !hasBody && !hasPages && failures.includes("invalid-request"))
      .filter(({ failures }) => !failures.includes("not-filterable"))
      .map(({ name }) => [`${name} invalid-request`, "Nothing is read but ids, and one that cannot be is 404."]),
  ),
  "server-error": "A failure of the program. When a way to provoke one is known, it is mended.",
};

/** The tests of the operations run on both stores in the full form, and on the embedded one in the loop. */
const projects = isFull ? ["embedded", "postgres"] : ["embedded"];

describe("the answers that the tests have seen", () => {
  test("are looked for in the operations of the documents", () => {
    const calls = operations.map(({ method, path }) => `${method} ${path}`);
    expect(calls.toSorted()).toEqual(
      [...table.map(({ call }) => call), ...further, "PUT /uploads/{ticket}"].toSorted(),
    );
    expect(documentedAnswers(operations).length).toBeGreaterThan(700);
  });

  test.each(projects)("are all that the description documents, on %s", (project) => {
    expect(differences(answersIn(project))).toEqual([]);
  });
});

describe("the check finds", () => {
  const all = answersIn("embedded");

  test("a success and a failure that no test has seen", () => {
    const lacking = all.filter(
      ({ method, path, status, errors }) =>
        !(method === "DELETE" && path.startsWith("/tags/") && status === 200) &&
        errors[0]?.reason !== "Five clones of the source are running",
    );
    expect(differences(lacking)).toEqual(["cloneInstance too-many-clones", "deleteTag 200"]);
  });

  test("an entry of what nothing can provoke that is provoked", () => {
    const failed = {
      method: "GET",
      path: "/tags",
      status: 500,
      hadToken: true,
      errors: [{ reason: "The service failed" }],
    };
    expect(differences([...all, failed])).toEqual(["server-error is seen"]);
  });

  test("answers that are not documented", () => {
    const answer = { method: "GET", path: "/tags", status: 404, hadToken: true, errors: [{ reason: "Not found" }] };
    expect(differences([...all, answer, { ...answer, status: 418 }])).toEqual([
      "listTags not-found is not documented",
      "GET /tags 418 is not documented",
    ]);
  });

  test("nothing where nothing was tested", () => {
    expect(differences([]).length).toBeGreaterThan(700 - Object.keys(unreachable).length);
  });
});

/** What was not seen and might have been, what was seen and could not be, and what was seen and is not documented. */
function differences(answers: readonly Answered[]): string[] {
  const seen = seenIn(answers, operations);
  const wanted = documentedAnswers(operations).filter((each) => !Object.hasOwn(unreachable, each));
  return [
    ...wanted.filter((each) => !seen.has(each)),
    ...Object.keys(unreachable)
      .filter((each) => seen.has(each))
      .map((each) => `${each} is seen`),
    ...undocumentedIn(answers, operations).map((each) => `${each} is not documented`),
  ];
}

function answersIn(project: string): readonly Answered[] {
  const file = answersOf(project);
  if (!existsSync(file)) throw new Error(`${file} is missing: run all tests of this package, or those of ${project}`);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Answered);
}
