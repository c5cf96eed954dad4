import { describe, expect, it } from "vitest";
import { exampleSuite } from "../report/example-report.support.js";
import type { Case, Step } from "../suite.js";
import { runTestCommand } from "./command.support.js";
import { formatSteps } from "./format-steps.js";

describe("explain", () => {
  it("prints the requests of a case, and the requirements that it tests", async () => {
    expect((await runTestCommand(["explain", "notes/createNote/title/longer-than-8"])).stdout)
      .toBe(`notes/createNote/title/longer-than-8
  A title of 9 characters is rejected.

kind       bounds
operation  createNote, POST /notes (spec/notes.yaml:10)
needs      only the server

Tests
  note.title.length
    A title has at most 8 characters.
    document 1, line 12
    spec/notes.yaml:14

Steps
  1. POST /notes
     body {"title": <"x" × 9>, "tag": <new label>}
     expected: 400; an error of title that mentions "8"
`);
  });

  it("prints the caller and the request", async () => {
    expect((await runTestCommand(["explain", "notes/getNote/of-another"])).stdout).toContain(`needs      other-account
`);
    expect((await runTestCommand(["explain", "notes/getNote/of-another"])).stdout).toContain(`Steps
  1. Make Note of its own → note
  2. GET /notes/<note.id> as a user of another account
     expected: 404
`);
  });

  it("prints a requirement and its cases", async () => {
    expect((await runTestCommand(["explain", "note.secret"])).stdout).toBe(`note.secret
  Only its owner sees a note.
  document 1, line 16

1 case:
  notes/getNote/of-another  A note of another user is not found.
`);
    expect((await runTestCommand(["explain", "note.kept"])).stdout).toContain(
      "\nNo case tests it: a year is too long\n",
    );
  });

  it("prints that a case is exclusive, and that it is read-only", async () => {
    const cases = exampleSuite.cases.map((each): Case => ({ ...each, exclusive: true }));
    const { stdout } = await runTestCommand(["explain", "health/getHealth/anonymous"], {
      suite: { ...exampleSuite, cases },
    });
    expect(stdout).toContain("           Runs when nothing else does.\n           Changes nothing on the server.\n");
  });

  it.each<[string, Step, readonly string[]]>([
    [
      "a user",
      { actor: { account: "own", caller: "limited", grants: { notes: [] }, scopes: "notes:read_only" }, as: "one" },
      ['Make a user (limited) of the account with the grants {"notes": []} with the scopes notes:read_only → one'],
    ],
    [
      "calls at once",
      {
        parallel: [{ call: "createNote", by: { user: "one" } }],
        times: 50,
        outcomes: [
          { status: 201, count: 5 },
          { status: [400, 409], count: 45 },
        ],
      },
      [
        "At once, each 50 times",
        "  POST /notes as one",
        "  expected: a documented success",
        "expected: 5 × 201, 45 × 400 or 409",
      ],
    ],
    [
      "several times",
      { repeat: [{ call: "getHealth", by: "anonymous" }], times: 3 },
      ["3 times:", "    1. GET /health without a token", "       expected: a documented success"],
    ],
    [
      "a check",
      { check: { $count: { $get: "all#/body/data" } }, matches: { const: 2 }, message: "one is lost" },
      ["Check <number of <all.body.data>>", 'matches {"const": 2}', "or else: one is lost"],
    ],
    ["the clock", { advance: "PT24H" }, ["Move the server's clock by PT24H"]],
    ["jobs", { settle: true }, ["Let all jobs of the platform end"]],
    ["held jobs", { hold: true }, ["Hold the jobs of the platform"]],
    [
      "code",
      { code: "totp", inputs: { digits: 6 }, as: "it" },
      ["Run totp of the suite's package → it", 'inputs {"digits": 6}'],
    ],
    [
      "a raw body",
      {
        call: "createNote",
        raw: { text: "{", mediaType: null },
        by: { authorization: "Basic x" },
        expect: { status: [400, 415] },
      },
      ["POST /notes with Authorization: Basic x", "body without a type: {", "expected: 400 or 415"],
    ],
    [
      "the test controls",
      { call: "controls:createUser", as: "made", setup: true },
      ["POST /users (test controls) → made", "expected, or the case cannot run: a documented success"],
    ],
    [
      "another method, and waiting",
      {
        call: "getNote",
        method: "PATCH",
        path: { noteId: 7 },
        query: { page: 2 },
        until: true,
        expect: { headers: { allow: { const: "GET" } } },
      },
      [
        "PATCH /notes/7?page=2",
        "asked again until",
        'expected: a documented success; allow that matches {"const": "GET"}',
      ],
    ],
    [
      "a long body",
      { call: "createNote", body: { title: "a".repeat(60), text: "b".repeat(60), tags: [] } },
      [
        "POST /notes",
        "body {",
        `  "title": "${"a".repeat(60)}",`,
        `  "text": "${"b".repeat(60)}",`,
        '  "tags": []',
        "}",
        "expected: a documented success",
      ],
    ],
  ])("shows %s", (_name, step, lines) => {
    const [first, ...rest] = formatSteps([step], exampleSuite);
    expect([first?.slice(5), ...rest.map((line) => line.slice(5))]).toEqual(lines);
  });
});
