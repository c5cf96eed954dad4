import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { further, operations as table } from "../../../test/operations.js";
import { documentedResponses, documentedOperations, documentedIn, undocumentedIn } from "../src/documented.support.js";
import { readRecordedResponses, type RecordedResponse } from "../src/recorded-responses.support.js";
import { isFull } from "./support/form.js";

const operations = documentedOperations();

/**
 * Errors that no request can provoke, with the reason: the name of an operation and of its error, or the error alone if it belongs to no operation.
 * The test fails if one of them is seen.
 */
const unreachable: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    operations
      .filter(({ hasBody, hasPages, failures }) => !hasBody && !hasPages && failures.includes("invalid-request"))
      .filter(({ failures }) => !failures.includes("not-filterable"))
      .map(({ name }) => [`${name} invalid-request`, "The only inputs are ids, and an invalid one gets 404."]),
  ),
  "server-error": "An error of the program. Known causes are fixed.",
};

/** The tests of the operations run on both stores in the full form, and on the embedded one in the loop. */
const projects = isFull ? ["embedded", "postgres"] : ["embedded"];

describe("the responses that the tests have seen", () => {
  test("cover the operations of the description", () => {
    const calls = operations.map(({ method, path }) => `${method} ${path}`);
    expect(calls.toSorted()).toEqual(
      [...table.map(({ call }) => call), ...further, "PUT /uploads/{ticket}"].toSorted(),
    );
    expect(documentedResponses(operations).length).toBeGreaterThan(700);
  });

  test.each(projects)("are exactly those that the description documents, on %s", (project) => {
    expect(differences(answersIn(project))).toEqual([]);
  });
});

describe("the check finds", () => {
  const all = answersIn("embedded");

  test("a success and an error that no test has seen", () => {
    const lacking = all.filter(
      ({ method, path, status, errors }) =>
        !(method === "DELETE" && path.startsWith("/tags/") && status === 200) &&
        errors[0]?.reason !== "Five clones of the source are running",
    );
    expect(differences(lacking)).toEqual(["cloneInstance too-many-clones", "deleteTag 200"]);
  });

  test("an error that was provoked, against its entry", () => {
    const failed = {
      method: "GET",
      path: "/tags",
      status: 500,
      hadToken: true,
      errors: [{ reason: "The service failed" }],
    };
    expect(differences([...all, failed])).toEqual(["server-error is seen"]);
  });

  test("undocumented responses", () => {
    const answer = { method: "GET", path: "/tags", status: 404, hadToken: true, errors: [{ reason: "Not found" }] };
    expect(differences([...all, answer, { ...answer, status: 418 }])).toEqual([
      "listTags not-found is not documented",
      "GET /tags 418 is not documented",
    ]);
  });

  test("nothing without tests", () => {
    expect(differences([]).length).toBeGreaterThan(700 - Object.keys(unreachable).length);
  });
});

/** Responses that were not seen, those that were seen against their entry, and undocumented ones. */
function differences(answers: readonly RecordedResponse[]): string[] {
  const seen = documentedIn(answers, operations);
  const wanted = documentedResponses(operations).filter((each) => !Object.hasOwn(unreachable, each));
  return [
    ...wanted.filter((each) => !seen.has(each)),
    ...Object.keys(unreachable)
      .filter((each) => seen.has(each))
      .map((each) => `${each} is seen`),
    ...undocumentedIn(answers, operations).map((each) => `${each} is not documented`),
  ];
}

function answersIn(project: string): readonly RecordedResponse[] {
  const file = readRecordedResponses(project);
  if (!existsSync(file)) throw new Error(`${file} is missing: run all tests of this package, or those of ${project}`);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as RecordedResponse);
}
