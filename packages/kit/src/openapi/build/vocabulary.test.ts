import { describe, expect, test } from "vitest";
import type { Api } from "../../model/index.js";
import { buildFixtureApi, withoutOrigins, withPaths, withSchemas } from "../testing.js";
import { readDuration } from "./limits.js";

test("extensions of other vendors under the same names change nothing", async () => {
  const vendors = `x-visibility: LIMITED, x-mutability: immutable, x-value: 5, x-reference: {ref: Pet}, x-resource: pet, x-state-machine: yes, `;
  const schema = (extensions: string): string =>
    withSchemas(`Pet: {type: object, ${extensions}properties: {name: {${extensions}type: string}}}`);
  const [plain, extended] = [await buildFixtureApi(schema("")), await buildFixtureApi(schema(vendors))];
  expect(withoutOrigins(extended)).toEqual(withoutOrigins(plain));
});

describe("on operations", () => {
  test("x-grants", async () => {
    expect(
      await field(
        "grants",
        `x-grants:
  - {grant: add_pets, error: rejected}
  - {caller: {restricted: false}, when: {changes: [tags]}}
  - {on: '$request.body#/pets/*', level: read_write, x-source: [r1]}
  - {on: 'no expression', level: read_write}`,
      ),
    ).toEqual([
      { kind: "named", name: "add_pets", error: "rejected", sources: [] },
      { kind: "caller", caller: { restricted: [false] }, when: { changes: ["tags"] }, sources: [] },
      {
        kind: "entity",
        on: { text: "$request.body#/pets/*", root: "request", part: "body", pointer: ["pets", "*"] },
        level: "read_write",
        sources: [{ requirement: "r1" }],
      },
    ]);
  });

  test("x-grants that operations share", async () => {
    const api = await buildFixtureApi({
      "openapi.yaml": withPaths(
        "/pets:\n  get:\n    operationId: listPets\n    responses: {}\n    x-grants: [{grant: add_pets}, {$ref: 'grants.yaml#/Reading'}]",
      ),
      "grants.yaml": "Reading: {on: $request.path.petId, level: read_only, x-source: [r1]}",
    });
    expect(withoutOrigins(api.operations[0]?.grants)).toEqual([
      { kind: "named", name: "add_pets", sources: [] },
      {
        kind: "entity",
        on: { text: "$request.path.petId", root: "request", part: "path", name: "petId", pointer: [] },
        level: "read_only",
        sources: [{ requirement: "r1" }],
      },
    ]);
  });

  test("x-limits of every kind", async () => {
    expect(
      await field(
        "limits",
        `x-limits:
  - {id: a, kind: rate, max: 10, window: PT1M30S, per: $caller.user, error: too-many}
  - {id: b, kind: concurrency, max: 5, until: {settled: '$response.body#/id'}}
  - {id: c, kind: unique, by: [label, region], within: account}
  - {id: d, kind: bytes, max: 6000, x-source: [r1, r2]}
  - {id: e, kind: retention, window: P1W}`,
      ),
    ).toEqual([
      {
        id: "a",
        kind: "rate",
        max: 10,
        window: { text: "PT1M30S", seconds: 90 },
        per: { text: "$caller.user", root: "caller", name: "user", pointer: [] },
        error: "too-many",
        sources: [],
      },
      {
        id: "b",
        kind: "concurrency",
        max: 5,
        until: { settled: { text: "$response.body#/id", root: "response", part: "body", pointer: ["id"] } },
        sources: [],
      },
      { id: "c", kind: "unique", by: ["label", "region"], within: "account", sources: [] },
      {
        id: "d",
        kind: "bytes",
        max: 6000,
        sources: [{ requirement: "r1" }, { requirement: "r2" }],
      },
      { id: "e", kind: "retention", window: { text: "P1W", seconds: 604_800 }, sources: [] },
    ]);
  });

  test("x-effects", async () => {
    expect(
      await field(
        "effects",
        `x-effects:
  - id: one-snapshot
    summary: The earlier one goes.
    when: {body: {required: [snapshot]}}
    does: delete
    to: Backup
    of: $request.path.petId
    where: {properties: {type: {const: snapshot}}}
    except: $response.body#/id
    count: 3
    values: {a: {from: $target#/tags, times: 2}, b: {by: platform}, c: {ignore: true}, d: {from: nowhere}, e: null}
    verifiedBy: workflow-1
  - {id: many, count: '$request.body#/count'}`,
      ),
    ).toEqual([
      {
        id: "one-snapshot",
        summary: "The earlier one goes.",
        when: { body: { types: [], required: ["snapshot"] } },
        does: "delete",
        to: "Backup",
        of: { text: "$request.path.petId", root: "request", part: "path", name: "petId", pointer: [] },
        where: { types: [], properties: [property("type", { types: [], const: "snapshot" })] },
        except: { text: "$response.body#/id", root: "response", part: "body", pointer: ["id"] },
        count: 3,
        values: {
          a: { kind: "from", from: { text: "$target#/tags", root: "target", pointer: ["tags"] }, times: 2 },
          b: { kind: "platform" },
          c: { kind: "ignore" },
          d: { kind: "value", value: { from: "nowhere" } },
          e: { kind: "value", value: null },
        },
        verifiedBy: "workflow-1",
        sources: [],
      },
      {
        id: "many",
        count: { text: "$request.body#/count", root: "request", part: "body", pointer: ["count"] },
        values: {},
        sources: [],
      },
    ]);
  });

  test("x-errors: about a field, about none, or about whichever it is", async () => {
    expect(
      await field(
        "errors",
        `x-errors:
  - {id: a, status: 400, field: label, summary: Too long., reasonContains: ['65535'], when: {body: {required: [label]}}}
  - {id: b, status: 503, field: null, retry: true, verifiedBy: workflow-1}
  - {id: c, status: 404}`,
      ),
    ).toEqual([
      {
        id: "a",
        status: 400,
        field: "label",
        summary: "Too long.",
        when: { body: { types: [], required: ["label"] } },
        reasonContains: ["65535"],
        retry: false,
        sources: [],
      },
      { id: "b", status: 503, field: null, reasonContains: [], retry: true, verifiedBy: "workflow-1", sources: [] },
      { id: "c", status: 404, reasonContains: [], retry: false, sources: [] },
    ]);
  });

  test("x-visibility of a response", async () => {
    const { operations } = await described(
      "responses: {'204': {description: none, x-visibility: {when: {caller: {properties: {restricted: {const: false}}}}}}}",
    );
    expect(withoutOrigins(operations[0]?.responses[0]?.visibility)).toEqual({
      when: { caller: { types: [], properties: [property("restricted", { types: [], const: false })] } },
    });
  });

  test("a condition has all of its members", async () => {
    const when = `{caller: {type: object}, body: {type: object}, target: {type: object}, sent: {type: object}, refs: {region: {type: object}}, changes: [a], compare: ['$request.body#/a', lte, '$target#/b']}`;
    const [error] = (await field("errors", `x-errors: [{id: a, status: 400, when: ${when}}]`)) as readonly {
      readonly when: unknown;
    }[];
    const object = { types: ["object"] };
    expect(error?.when).toEqual({
      caller: object,
      body: object,
      target: object,
      sent: object,
      refs: { region: object },
      changes: ["a"],
      compare: {
        left: { text: "$request.body#/a", root: "request", part: "body", pointer: ["a"] },
        operator: "lte",
        right: { text: "$target#/b", root: "target", pointer: ["b"] },
      },
    });
  });

  test("a comparison with a value keeps the value", async () => {
    const [error] = (await field(
      "errors",
      "x-errors: [{id: a, status: 400, when: {compare: ['$target#/a', in, [1, 2]]}}]",
    )) as readonly { readonly when: { readonly compare: { readonly right: unknown } } }[];
    expect(error?.when.compare.right).toEqual([1, 2]);
  });
});

describe("on schemas", () => {
  test("x-value", async () => {
    expect(
      await ofProperty(
        "valueRules",
        "x-value: [{absent: true, set: {from: 2/count}}, {matches: {const: 0}, interpretAs: 14400}, {when: {body: {required: [a]}}, set: true}, {round: up, to: [300, 3600]}, {escape: ascii}, {interpretAs: null}]",
      ),
    ).toEqual([
      {
        absent: true,
        set: { kind: "from", from: { text: "2/count", root: "relative", part: "2", pointer: ["count"] } },
      },
      { matches: { types: [], const: 0 }, interpretAs: 14_400 },
      { when: { body: { types: [], required: ["a"] } }, set: { kind: "value", value: true } },
      { round: "up", to: [300, 3600] },
      { escape: "ascii" },
      { interpretAs: null },
    ]);
  });

  test.each([
    [
      "reference",
      "x-reference: {to: Config, by: label, of: $request.path.petId, where: {type: object}, onConstraintViolation: a, onNotFound: b, onDelete: restrict}",
      {
        to: "Config",
        by: "label",
        of: { text: "$request.path.petId", root: "request", part: "path", name: "petId", pointer: [] },
        where: { types: ["object"] },
        onConstraintViolation: "a",
        onNotFound: "b",
        onDelete: "restrict",
      },
    ],
    [
      "visibility",
      "x-visibility: {in: [createPet], otherwise: {truncate: 16}, secret: true}",
      { in: ["createPet"], otherwise: { truncate: 16 }, secret: true },
    ],
    ["visibility", "x-visibility: {otherwise: null}", { otherwise: null }],
    ["filterable", "x-filterable: true", {}],
    ["filterable", "x-filterable: {operators: [gt, lt]}", { operators: ["gt", "lt"] }],
    ["filterable", "x-filterable: false", undefined],
    [
      "scopeCeiling",
      "x-scopes: {atMost: $caller.scopes, error: too-much}",
      { atMost: { text: "$caller.scopes", root: "caller", name: "scopes", pointer: [] }, error: "too-much" },
    ],
    [
      "limits",
      "x-limits: [{id: a, kind: serialized-length, max: 9}]",
      [{ id: "a", kind: "serialized-length", max: 9, sources: [] }],
    ],
    [
      "errors",
      "x-errors: [{id: a, status: 400}]",
      [{ id: "a", status: 400, reasonContains: [], retry: false, sources: [] }],
    ],
    ["sources", "x-source: [r1]", [{ requirement: "r1" }]],
    ["sources", "x-source: []", undefined],
  ])("%s of %s", async (name, written, expected) => {
    expect(await ofProperty(name, written)).toEqual(expected);
  });

  test("without a rule that exists, x-mutability changes nothing; what x-visibility shows instead is one of three", async () => {
    const properties = `a: {x-mutability: {to: 1}}, b: {x-mutability: {rule: toString}}, c: {x-visibility: {otherwise: toString}}, d: {x-visibility: {otherwise: {truncate: toString}}}, e: {x-visibility: {otherwise: {truncate: 4}}}, f: {x-visibility: {otherwise: null}}`;
    const { schemas } = await buildFixtureApi(withSchemas(`A: {type: object, properties: {${properties}}}`));
    expect(
      schemas[0]?.schema.properties?.map(({ mutability, schema }) => mutability ?? schema.visibility?.otherwise),
    ).toEqual([undefined, undefined, "absent", "absent", { truncate: 4 }, null]);
  });

  test("x-mutability is the property's", async () => {
    const { schemas } = await buildFixtureApi(
      withSchemas(
        "A: {type: object, properties: {a: {x-mutability: {rule: one-way, to: true, order: listVersions, error: no}}}}",
      ),
    );
    expect(schemas[0]?.schema.properties?.[0]?.mutability).toEqual({
      rule: "one-way",
      to: true,
      order: "listVersions",
      error: "no",
    });
  });

  test("x-resource; a child has the owner of its parent", async () => {
    const { resources } = await buildFixtureApi(
      withSchemas(`Pet: {x-resource: {owner: [user, client], grants: pets, public: {type: object}, list: listPets, read: getPet, delete: deletePet, modified: updated, x-source: [r1]}}
Toy: {x-resource: {parent: Pet, log: true}}
Part: {x-resource: {parent: Toy}}
Loop: {x-resource: {parent: Loop}}`),
    );
    expect(withoutOrigins(resources)).toEqual([
      {
        name: "Pet",
        owner: ["user", "client"],
        grants: "pets",
        public: { types: ["object"] },
        list: "listPets",
        read: "getPet",
        delete: "deletePet",
        modified: "updated",
        sources: [{ requirement: "r1" }],
      },
      { name: "Toy", owner: ["user", "client"], parent: "Pet", isLog: true, sources: [] },
      { name: "Part", owner: ["user", "client"], parent: "Toy", sources: [] },
      { name: "Loop", owner: [], parent: "Loop", sources: [] },
    ]);
  });

  test("x-state-machine of a field: hidden states last, `except` worked out, every trigger", async () => {
    const { stateMachines } = await buildFixtureApi(
      withSchemas(`Pet:
  type: object
  properties:
    status:
      enum: [awake, asleep, ill]
      x-state-machine:
        hidden: {away: asleep}
        initial: [{event: createPet, when: {body: {type: object}}, to: asleep, then: [awake], duration: PT5S}]
        transitions:
          - {event: wakePet, subject: '$request.body#/id', from: {except: [awake]}, to: awake, then: [$previous], while: feeding, limit: naps, error: busy}
          - {event: {platform: accident}, from: {except: []}, to: ill}
          - {event: {after: PT24H}, from: [ill], to: awake, x-source: [r1]}
          - {event: {at: expiry}, from: [away], to: $deleted, when: {target: {type: object}}}`),
    );
    expect(withoutOrigins(stateMachines)).toEqual([
      {
        name: "PetStatus",
        resource: "Pet",
        field: "status",
        states: ["awake", "asleep", "ill", "away"],
        hidden: { away: "asleep" },
        initial: [
          {
            event: { kind: "operation", operation: "createPet" },
            when: { body: { types: ["object"] } },
            to: "asleep",
            then: ["awake"],
            duration: { text: "PT5S", seconds: 5 },
            sources: [],
          },
        ],
        transitions: [
          {
            event: { kind: "operation", operation: "wakePet" },
            subject: { text: "$request.body#/id", root: "request", part: "body", pointer: ["id"] },
            from: ["asleep", "ill", "away"],
            to: "awake",
            then: ["$previous"],
            while: "feeding",
            limit: "naps",
            error: "busy",
            sources: [],
          },
          {
            event: { kind: "platform", platform: "accident" },
            from: ["awake", "asleep", "ill", "away"],
            to: "ill",
            then: [],
            sources: [],
          },
          {
            event: { kind: "after", after: { text: "PT24H", seconds: 86_400 } },
            from: ["ill"],
            to: "awake",
            then: [],
            sources: [{ requirement: "r1" }],
          },
          {
            event: { kind: "at", at: "expiry" },
            from: ["away"],
            to: "$deleted",
            then: [],
            when: { target: { types: ["object"] } },
            sources: [],
          },
        ],
        sources: [],
      },
    ]);
  });

  test("x-state-machine of a schema, one or several, and of a field whose states stand elsewhere", async () => {
    const { stateMachines } = await buildFixtureApi(
      withSchemas(`Token: {x-state-machine: {states: [active, expired], initial: [], transitions: []}}
User: {x-state-machine: [{name: phone-check, states: [none, sent], initial: [], transitions: []}, {states: [a], initial: [], transitions: []}]}
Pet: {type: object, properties: {mood: {$ref: '#/components/schemas/Mood', x-state-machine: {initial: [], transitions: []}}}}
Mood: {enum: [good, bad]}`),
    );
    expect(stateMachines.map(({ name, resource, field: of, states }) => [name, resource, of, states])).toEqual([
      ["TokenState", "Token", undefined, ["active", "expired"]],
      ["PhoneCheck", "User", undefined, ["none", "sent"]],
      ["UserState", "User", undefined, ["a"]],
      ["PetMood", "Pet", "mood", ["good", "bad"]],
    ]);
  });
});

describe("on the whole", () => {
  test("x-scopes of a security scheme", async () => {
    const { scopeGrammar } = await described(
      "responses: {}",
      `components:
  securitySchemes:
    key: {type: apiKey, in: query, name: k}
    bearer:
      type: http
      scheme: bearer
      x-scopes:
        areas: [pets, toys]
        levels: {read_only: [], read_write: [read_only]}
        all: '*'
        separator: ' '
        credentials: [{to: Token, in: active}]
        errors: {missing: no-token, invalid: invalid-token, scope: insufficient-scope}
`,
    );
    expect(withoutOrigins(scopeGrammar)).toEqual({
      scheme: "bearer",
      areas: ["pets", "toys"],
      levels: { read_only: [], read_write: ["read_only"] },
      all: "*",
      separator: " ",
      credentials: [{ to: "Token", in: "active" }],
      errors: { missing: "no-token", invalid: "invalid-token", scope: "insufficient-scope" },
      sources: [],
    });
  });

  test("errors that every operation shares may name schemas of their own", async () => {
    const api = await described(
      "responses: {}",
      "x-errors: [{id: a, status: 400, when: {body: {$ref: '#/components/schemas/Bad'}}}]\ncomponents: {schemas: {Bad: {type: object}}}",
    );
    expect([withoutOrigins(api.errors), api.schemas.map((each) => each.name)]).toEqual([
      [
        {
          id: "a",
          status: 400,
          when: { body: { types: [], ref: "Bad" } },
          reasonContains: [],
          retry: false,
          sources: [],
        },
      ],
      ["Bad"],
    ]);
  });

  test("requirements know where they are stated, assumptions where they are made", async () => {
    const { requirements, assumptions, schemas } = await buildFixtureApi({
      "openapi.yaml": withSchemas("A: {type: string, x-source: [a.one, a.more]}\nB: {$ref: 'b.yaml#/B'}").replace(
        "paths",
        "x-assumptions: {$ref: assumptions.yaml}\npaths",
      ),
      "assumptions.yaml": "a.more: {says: Yes., because: It is so., settles: a.open}",
      "b.yaml": "B: {type: string, x-source: [a.one]}",
      "requirements.yaml": `documents:
  first:
    title: The first
    sections:
      One:
        a.one: {line: 3, says: There is one.}
        a.two: {line: 4, says: There are two.}
        a.open: {line: 5, open: Is there more?}
`,
    });
    expect(
      requirements.map(({ origin: _origin, statedAt, ...rest }) => ({
        ...rest,
        statedAt: statedAt.map(({ file, pointer }) => `${file}#${pointer}`),
      })),
    ).toEqual([
      {
        id: "a.one",
        document: "The first",
        section: "One",
        line: 3,
        text: "There is one.",
        open: false,
        statedAt: ["openapi.yaml#/components/schemas/A", "b.yaml#/B"],
        isProseOnly: false,
      },
      {
        id: "a.two",
        document: "The first",
        section: "One",
        line: 4,
        text: "There are two.",
        open: false,
        statedAt: [],
        isProseOnly: false,
      },
      {
        id: "a.open",
        document: "The first",
        section: "One",
        line: 5,
        text: "Is there more?",
        open: true,
        statedAt: [],
        isProseOnly: false,
      },
    ]);
    const more = { id: "a.more", text: "Yes.", because: "It is so.", settles: "a.open" };
    expect(assumptions).toEqual([
      {
        ...more,
        statedAt: [{ file: "openapi.yaml", pointer: "/components/schemas/A" }],
        origin: { file: "assumptions.yaml", pointer: "/a.more" },
      },
    ]);
    expect(schemas[0]?.schema.sources).toEqual([{ requirement: "a.one" }, { assumption: more }]);
  });
});

test.each([
  ["PT30S", 30],
  ["PT1M30S", 90],
  ["P1DT1H", 90_000],
  ["P2W", 1_209_600],
  ["PT0S", 0],
])("%s is %d seconds", (text, seconds) => {
  expect(readDuration(text)).toEqual({ text, seconds });
});

test.each(["30", "P", "PT", "P1DT", "P1M", "P1Y", "PT1.5S", "1D", "-PT1S", "", undefined])(
  "%j is not a duration of a fixed length",
  (text) => {
    expect(readDuration(text)).toBeUndefined();
  },
);

/** Returns the model of an API with one operation that contains these lines. */
async function described(lines: string, rest = ""): Promise<Api> {
  return buildFixtureApi(withPaths(`/pets:\n  post:\n${lines.replaceAll(/^(?=.)/gm, "    ")}`, rest));
}

async function field(name: "grants" | "limits" | "effects" | "errors", lines: string): Promise<unknown> {
  return withoutOrigins((await described(`responses: {}\n${lines}`)).operations[0]?.[name]);
}

/** Returns a member of the model of a property that contains this line. */
async function ofProperty(name: string, line: string): Promise<unknown> {
  const { schemas } = await buildFixtureApi(withSchemas(`A: {type: object, properties: {a: {${line}}}}`));
  const schema = withoutOrigins(schemas[0]?.schema.properties?.[0]?.schema) as Readonly<Record<string, unknown>>;
  return schema[name];
}

function property(name: string, schema: object): object {
  return { name, required: false, readOnly: false, writeOnly: false, schema };
}
