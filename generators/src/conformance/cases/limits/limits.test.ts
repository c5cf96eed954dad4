import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { limitCases } from "./limits.js";

const clubs = (limits: {
  readonly onCreate?: string;
  readonly onClub?: string;
  readonly onNames?: string;
}): string => `openapi: 3.1.0
info: {title: Clubs, version: '1'}
x-errors:
  - {id: too-many, status: 429, field: null, retry: true}
  - {id: taken, status: 409, field: name}
  - {id: too-long, status: 400, field: names}
paths:
  /clubs:
    get:
      operationId: listClubs
      tags: [clubs]
      responses: {'200': {description: All., content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Club'}}}}}}
    post:
      operationId: createClub
      tags: [clubs]
      x-limits: [${limits.onCreate ?? ""}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}, names: {type: array, items: {type: string, maxLength: 10}, x-limits: [${limits.onNames ?? ""}]}}}, example: {name: a}}}}
      responses: {'201': {description: Made., content: {application/json: {schema: {$ref: '#/components/schemas/Club'}}}}}
  /clubs/{clubId}:
    parameters: [{name: clubId, in: path, required: true, schema: {type: integer}, x-reference: {to: Club}}]
    get:
      operationId: getClub
      tags: [clubs]
      responses: {'200': {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/Club'}}}}}
    delete: {operationId: deleteClub, tags: [clubs], responses: {'204': {description: Gone.}}}
components:
  schemas:
    Club:
      type: object
      x-resource: {owner: [account], list: listClubs, read: getClub, delete: deleteClub}
      x-limits: [${limits.onClub ?? ""}]
      properties: {id: {type: integer, readOnly: true}, name: {type: string}}
`;

test("a rate limit is tested at the limit, past it, concurrently, with another user, and in the next window", async () => {
  const onCreate = "{id: club-creates, kind: rate, max: 3, window: PT30S, per: $caller.user, error: too-many}";
  const actors = { user: { requires: [], steps: [], outputs: null } };
  const cases = limitCases(await contextFromText(clubs({ onCreate }), { actors }));
  expect(cases.map(({ id }) => id)).toEqual([
    "clubs/createClub/limits/club-creates/one-past",
    "clubs/createClub/limits/club-creates/all-at-once",
    "clubs/createClub/limits/club-creates/recovers",
    "clubs/createClub/limits/club-creates/counts-until-the-end",
    "clubs/createClub/limits/club-creates/moves-along",
    "clubs/createClub/limits/club-creates/per-user",
  ]);
  const call = { call: "createClub", body: { name: "a" }, by: { user: "eve" }, isImmediate: true };
  const rejected = {
    ...call,
    expect: {
      status: 429,
      error: { field: null },
      headers: { "retry-after": { type: "string", pattern: "^[1-9][0-9]*$" } },
    },
  };
  expect(cases[3]).toMatchObject({
    windowSeconds: 4,
    steps: [{ actor: { account: "own" }, as: "eve" }, { repeat: [call], times: 3 }, { advance: "PT25S" }, rejected],
  });
  expect(cases[4]).toMatchObject({
    exclusive: true,
    windowSeconds: 30,
    requires: ["users", "clock"],
    steps: [
      { actor: { account: "own" }, as: "eve" },
      call,
      { advance: "PT15S" },
      { repeat: [call], times: 2 },
      rejected,
      { advance: "PT16S" },
      call,
      rejected,
    ],
  });
});

test("a window that is too long to wait for is exceeded by the caller of the run, without created users or a clock", async () => {
  const onCreate = (window: string): string =>
    `{id: club-creates, kind: rate, max: 3, window: ${window}, error: too-many}`;
  const waiting = limitCases(await contextFromText(clubs({ onCreate: onCreate("PT10S") })));
  expect(waiting[0]?.steps[0]).toEqual({ actor: { account: "own" }, as: "eve", idleSeconds: 10 });
  const cases = limitCases(await contextFromText(clubs({ onCreate: onCreate("PT11S") })));
  const call = { call: "createClub", body: { name: "a" }, isImmediate: true };
  expect(cases).toMatchObject([
    {
      id: "clubs/createClub/limits/club-creates/one-past",
      requires: [],
      steps: [
        { repeat: [{ ...call, expect: { status: [201, 429] } }], times: 3 },
        { ...call, expect: { status: 429 } },
      ],
    },
    { id: "clubs/createClub/limits/club-creates/recovers", requires: ["clock"] },
  ]);
});

test("a duplicate name is rejected, one of ten concurrent requests succeeds, another account may use it, and a deletion frees it", async () => {
  const onClub = "{id: club-name, kind: unique, by: [name], within: account, error: taken}";
  const cases = limitCases(await contextFromText(clubs({ onClub })));
  expect(cases.map(({ id }) => id)).toEqual([
    "clubs/createClub/limits/club-name/taken",
    "clubs/createClub/limits/club-name/all-at-once",
    "clubs/createClub/limits/club-name/elsewhere",
    "clubs/createClub/limits/club-name/free-again",
  ]);
  const taken = { $merge: [{ name: { $unique: "label" } }, { name: { $get: "first#/name" } }] };
  const first = { make: "Club", as: "first", fresh: true };
  expect(cases[0]?.steps).toEqual([
    first,
    { call: "createClub", body: taken, expect: { status: 409, error: { field: "name" } } },
  ]);
  expect(cases[2]?.steps).toEqual([first, { call: "createClub", body: taken, by: "other-account" }]);
});

test("a limit of five that an operation ends needs no clock, and a limit of all operations is tested with a read", async () => {
  const loans = await contextFromText(loansDescription);
  const cases = limitCases(loans);
  const found = cases.map(({ id, requires }) => `${id} ${requires.join(" ")}`.trim());
  expect(found).toEqual([
    "loans/listLoans/limits/requests/one-past",
    "loans/listLoans/limits/requests/all-at-once",
    "loans/listLoans/limits/requests/recovers",
    "loans/listLoans/limits/requests/moves-along",
    "loans/listLoans/limits/requests/together",
    "loans/listLoans/limits/requests/per-user users",
    "loans/createLoan/limits/open-loans/one-past",
    "loans/createLoan/limits/open-loans/recovers",
    "loans/createLoan/limits/open-loans/all-at-once",
  ]);
  const call = { call: "createLoan", by: { user: "eve" } };
  expect(cases[6]?.steps).toEqual([
    { actor: { account: "own" }, as: "eve", idleSeconds: 0 },
    { repeat: [{ ...call, as: "started" }], times: 5 },
    { ...call, expect: { status: 409, error: {} } },
  ]);
});

const loansDescription = `openapi: 3.1.0
info: {title: Loans, version: '1'}
x-limits: [{id: requests, kind: rate, max: 9, window: PT5S, error: too-many}]
x-errors: [{id: too-many, status: 429}, {id: five-at-most, status: 409}]
paths:
  /loans:
    get:
      operationId: listLoans
      tags: [loans]
      responses: {'200': {description: All., content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Loan'}}}}}}
    post:
      operationId: createLoan
      tags: [loans]
      x-limits: [{id: open-loans, kind: concurrency, max: 5, until: {settled: '$response.body#/id'}, error: five-at-most}]
      responses: {'201': {description: Made., content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}}}
  /loans/{loanId}/return:
    post:
      operationId: returnLoan
      tags: [loans]
      parameters: [{name: loanId, in: path, required: true, schema: {type: integer}, x-reference: {to: Loan}}]
      responses: {'200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}}}
components:
  schemas:
    Loan:
      type: object
      x-resource: {owner: [account], list: listLoans}
      properties:
        id: {type: integer, readOnly: true}
        status:
          type: string
          enum: [open, over]
          x-state-machine:
            initial: [{event: createLoan, to: open}]
            transitions: [{event: returnLoan, from: [open], to: over}]
`;

test("a combined length is tested at the limit, and one past it", async () => {
  const onNames = "{id: names-length, kind: combined-length, max: 23, error: too-long}";
  const cases = limitCases(await contextFromText(clubs({ onNames })));
  expect(cases.map(({ id, steps }) => [id.split("/").at(-1), steps])).toEqual([
    ["at-the-limit", [sending(["xxxxxxxxx0", "xxxxxxxxx1", "yyy"])]],
    [
      "one-past",
      [{ ...sending(["xxxxxxxxx0", "xxxxxxxxx1", "yyyy"]), expect: { status: 400, error: { field: "names" } } }],
    ],
  ]);
});

function sending(names: readonly string[]): object {
  return { call: "createClub", body: { $merge: [{ $merge: [{ name: "a" }, {}] }, { names }] }, as: "sent" };
}

test("a retained object exists until seconds before the end of its retention, and is gone after it", async () => {
  const onClub = "{id: club-kept, kind: retention, window: P1D}";
  const [kept] = limitCases(await contextFromText(clubs({ onClub })));
  const read = { call: "getClub", path: { clubId: { $get: "club#/id" } } };
  expect(kept?.steps).toEqual([
    { make: "Club", as: "club", fresh: true },
    { advance: "PT86385S" },
    { ...read, expect: { status: 200 } },
    { advance: "PT16S" },
    { ...read, expect: { status: 404 } },
    { advance: "PT86400S" },
    { ...read, expect: { status: 404 } },
  ]);
});
