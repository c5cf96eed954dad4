import path from "node:path";
import { expect, test } from "vitest";
import { DiagnosticsError } from "../../model/index.js";
import { loadDescription } from "../read/load.js";
import { withFixtureFolder } from "../testing.js";

const head = "overlay: 1.0.0\ninfo: {title: Ours, version: '1'}\nactions:\n";
const wide = `list: [${Array.from({ length: 1000 }, (_, index) => index).join(", ")}]\n`;

test.each([
  ["repetitions in one another", `a: ${"a".repeat(40)}!`, `- {target: "$[?match(@, '(a+)+b')]", remove: true}`],
  [
    "the same from the description",
    `a: ${"a".repeat(40)}!\nb: (a+)+b`,
    `- {target: "$[?search(@, $.b)]", remove: true}`,
  ],
  ["many walks over all", wide, `- &walk {target: "$..*", update: {}}\n${"- *walk\n".repeat(3000)}`],
  ["walks within walks", wide, `- {target: "$..[?$..[?@ == 1]]", remove: true}`],
  ["filters that count all for each", wide, `- {target: "$.list[?count($.list[*]) > 1]", remove: true}`],
  ["comparisons of all with all", wide, `- {target: "$.list[?$.list == $.list]", remove: true}`],
  ["many changes of something wide", wide, `- &one {target: "$.list[0]", remove: true}\n${"- *one\n".repeat(900)}`],
  [
    "updates that double",
    "a: {b: {}}",
    `- &twice {target: "$..[?@]", update: {b: {}, c: {}}}\n${"- *twice\n".repeat(30)}`,
  ],
])("%s end with a problem", async (_, text, actions) => {
  const [diagnostic] = await problemsOf(text, actions);
  expect(diagnostic).toMatchObject({
    code: "overlay/too-many-steps",
    origin: { file: "ours.yaml", pointer: expect.stringMatching(/^\/actions\/\d+\/target$/) as string },
  });
});

test("what people write of a large description takes fewer", async () => {
  const paths = Array.from({ length: 1000 }, (_, index) => `  /p${index}: {get: {summary: Reads number ${index}}}\n`);
  const actions = `
- {target: "$.paths.*.get", update: {deprecated: true}}
- {target: "$..[?@.deprecated == true]", update: {x-old: true}}
- {target: "$..[?search(@.summary, 'number.*9')]", update: {tags: [nine]}}
- {target: "$.paths[?match(@.get.summary, '[A-Z][a-z ]+[0-9]{1,3}')]", update: {x-short: true}}
`;
  expect(await problemsOf(`paths:\n${paths.join("")}`, actions)).toEqual([]);
});

async function problemsOf(text: string, actions: string): Promise<readonly object[]> {
  return withFixtureFolder({ "openapi.yaml": text, "ours.yaml": `${head}${actions}` }, (folder) =>
    loadDescription(path.join(folder, "openapi.yaml"), [path.join(folder, "ours.yaml")]).then(
      ({ diagnostics }) => diagnostics,
      (error: unknown) => {
        if (error instanceof DiagnosticsError) return error.diagnostics;
        throw error;
      },
    ),
  );
}
