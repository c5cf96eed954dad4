import path from "node:path";
import { expect, test } from "vitest";
import { withFixtureFolder, type FixtureFiles } from "../testing.js";
import { bundleDescription } from "./bundle.js";
import { loadDescription } from "./load.js";
import { recordInputs, type ParseCache } from "./recorded-inputs.js";

const files = {
  "openapi.yaml": `openapi: 3.1.0
info: {title: Notes, version: '1'}
paths: {/notes: {$ref: 'notes/paths.yaml#/notes'}}
`,
  "notes/paths.yaml": `notes:
  post:
    operationId: createNote
    x-grants: [{$ref: '../grants.yaml#/Adding'}]
    requestBody: {content: {application/json: {schema: {$ref: '../schemas.yaml#/Note'}}}}
    responses: {'200': {description: ok}}
`,
  "grants.yaml": "Adding: {grant: add_notes, when: {body: {$ref: 'schemas.yaml#/Note'}}}\n",
  "schemas.yaml": "Note: {type: object}\n",
};

test("a bundled description refers to itself alone, also in extension fields", async () => {
  const note = { $ref: "#/components/schemas/Note" };
  expect(await bundled(files)).toMatchObject({
    paths: {
      "/notes": {
        post: {
          "x-grants": [{ grant: "add_notes", when: { body: note } }],
          requestBody: { content: { "application/json": { schema: note } } },
        },
      },
    },
    components: { schemas: { Note: { type: "object" } } },
  });
});

test.each([
  ["references to itself", "components: {schemas: {A: {$ref: '#/components/schemas/B'}, B: {type: string}}}", []],
  ["a mapping to itself", "components: {schemas: {A: {discriminator: {mapping: {b: '#/components/schemas/A'}}}}}", []],
  ["a reference to a file", "components: {schemas: {A: {$ref: 'schemas.yaml#/Note'}}}", ["Note"]],
  [
    "a mapping to a file",
    "components: {schemas: {A: {discriminator: {mapping: {n: 'schemas.yaml#/Note'}}}}}",
    ["Note"],
  ],
])("a description with %s has what it needs", async (_, components, added) => {
  const alone = `openapi: 3.1.0\ninfo: {title: Notes, version: '1'}\npaths: {}\n${components}\n`;
  const value = await bundled({ ...files, "openapi.yaml": alone });
  const names = Object.keys((value as { readonly components: { readonly schemas: object } }).components.schemas);
  expect(names).toEqual([...(components.includes(", B: ") ? ["A", "B"] : ["A"]), ...added]);
});

test("the files stay as they are for a run that has them parsed", async () => {
  const parsed: ParseCache = new Map();
  const readAgain = withFixtureFolder(files, async (folder) => {
    const description = path.join(folder, "openapi.yaml");
    await recordInputs(() => bundleDescription({ description, overlays: [] }), parsed).done;
    const { done, inputs } = recordInputs(() => loadDescription(description), parsed);
    await done;
    return Object.keys((await inputs()).files).map((file) => path.relative(folder, file));
  });
  expect((await readAgain).toSorted()).toEqual(Object.keys(files).toSorted());
});

test("a reference that leads nowhere is reported with its place, as the linter does", async () => {
  const absent = {
    ...files,
    "notes/paths.yaml": files["notes/paths.yaml"].replace("schemas.yaml", "absent.yaml"),
  };
  const error = await bundled(absent).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    diagnostics: [
      {
        code: "openapi/no-unresolved-refs",
        origin: { file: "notes/paths.yaml", line: 5, column: 48 },
        message: 'The reference "../absent.yaml#/Note" names a file that cannot be read.',
      },
    ],
  });
});

test("components of the same name in several files get names of their own", async () => {
  const one =
    "components: {schemas: {User: {type: object, properties: {self: {$ref: '#/components/schemas/User'}}}}}\n";
  const { paths, components } = await bundled({
    "openapi.yaml": `openapi: 3.1.0
info: {title: Users, version: '1'}
paths:
  /a: {get: {responses: {'200': {description: A, content: {a/b: {schema: {$ref: 'one.yaml#/components/schemas/User'}}}}}}}
  /b: {get: {responses: {'200': {description: B, content: {a/b: {schema: {$ref: 'two.yaml#/components/schemas/User'}}}}}}}
  /c: {get: {responses: {'200': {description: C, content: {a/b: {schema: {$ref: '#/components/schemas/User'}}}}}}}
components: {schemas: {User: {type: string}}}
`,
    "one.yaml": one,
    "two.yaml": one.replace("object", "[object, 'null']"),
  });
  const schema = ($ref: string) => ({ get: { responses: { "200": { content: { "a/b": { schema: { $ref } } } } } } });
  const self = ($ref: string) => ({ properties: { self: { $ref } } });
  const [first, second] = ["#/components/schemas/User-2", "#/components/schemas/User-3"];
  expect(paths).toMatchObject({ "/a": schema(first), "/b": schema(second), "/c": schema("#/components/schemas/User") });
  expect(components).toEqual({
    schemas: {
      User: { type: "string" },
      "User-2": { type: "object", ...self(first) },
      "User-3": { type: ["object", "null"], ...self(second) },
    },
  });
});

test("what nothing reads may lead nowhere, and a schema that nothing defines matches everything", async () => {
  const { paths } = await bundled({
    "openapi.yaml": `openapi: 3.0.3
info: {title: Notes, version: '1'}
paths:
  /a:
    get:
      x-examples: {a: {$ref: absent.yaml}, b: {$ref: broken.yaml}, c: {$ref: 'https://notes.example/a.yaml'}}
      responses:
        default:
          description: A
          content:
            a/b:
              schema: {items: {$ref: '#/components/schemas/Lost', description: B}}
              examples: {a: {externalValue: 'https://notes.example/a.json'}}
`,
    "broken.yaml": "a: [",
  });
  const content = {
    "a/b": {
      schema: { items: { description: "B" } },
      examples: { a: { externalValue: "https://notes.example/a.json" } },
    },
  };
  expect(paths).toEqual({
    "/a": {
      get: {
        "x-examples": {
          a: { $ref: "absent.yaml" },
          b: { $ref: "broken.yaml" },
          c: { $ref: "https://notes.example/a.yaml" },
        },
        responses: { default: { description: "A", content } },
      },
    },
  });
});

function bundled(texts: FixtureFiles): ReturnType<typeof bundleDescription> {
  return withFixtureFolder(texts, (folder) =>
    bundleDescription({ description: path.join(folder, "openapi.yaml"), overlays: [] }),
  );
}
