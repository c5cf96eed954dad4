import path from "node:path";
import { expect, test } from "vitest";
import { buildDescription } from "../lint/lint-fixture.support.js";
import { lint } from "../lint/lint.js";
import { withFixtureFolder, type FixtureFiles } from "../testing.js";

const head = "overlay: 1.0.0\ninfo: {title: Ours, version: '1'}\n";

test("a problem in an overlay's update is reported there, and any other in the description", async () => {
  const overlay = `${head}actions:
  - target: $.paths['/notes'].post
    update:
      x-limits:
        - {id: notes, kind: rate, max: 10, window: '30'}
  - target: $.components.schemas.Note.properties
    update: {more: {$ref: '#/components/schemas/Moore'}}
`;
  const texts = { "openapi.yaml": buildDescription({ operation: "x-limts: 1" }), "ours.yaml": overlay };
  expect(await linesOf(texts)).toEqual([
    'openapi.yaml:12:7 extension/unknown "x-limts" is not an extension field of the vocabulary.',
    'ours.yaml:7:44 limits/unit "30" has no unit.',
    expect.stringMatching(/^ours\.yaml:9:\d+ openapi\/no-unresolved-refs /),
  ]);
});

test("an overlay can fix a problem", async () => {
  const overlay = `${head}actions: [{target: "$..[?@['x-limts']]['x-limts']", remove: true}]\n`;
  const texts = { "openapi.yaml": buildDescription({ operation: "x-limts: 1" }), "ours.yaml": overlay };
  expect(await linesOf(texts)).toEqual([]);
});

test("a target that is nowhere is a warning", async () => {
  const overlay = `${head}actions:\n  - {target: $.paths.*.get, remove: true}\n`;
  const diagnostics = await lintOverlaid({ "openapi.yaml": buildDescription({}), "ours.yaml": overlay });
  expect(diagnostics.map(({ code, severity, origin }) => [code, severity, origin.line, origin.column])).toEqual([
    ["overlay/unmatched", "warning", 4, 6],
  ]);
});

test("problems of overlays are reported with all others", async () => {
  const overlay = `${head}extends: other.yaml\nactions: [{target: $, remove: true}]\n`;
  const texts = { "openapi.yaml": buildDescription({ operation: "x-limts: 1" }), "ours.yaml": overlay };
  expect(await linesOf(texts)).toEqual([
    'openapi.yaml:12:7 extension/unknown "x-limts" is not an extension field of the vocabulary.',
    "ours.yaml:3:1 overlay/extends The description does not read other.yaml, so nothing of this overlay happens.",
  ]);
});

test("an invalid overlay is the only problem reported", async () => {
  const texts = { "openapi.yaml": buildDescription({ operation: "x-limts: 1" }), "ours.yaml": "overlay: 3.0.0\n" };
  expect(await linesOf(texts)).toEqual(['ours.yaml:1:1 overlay/version This is overlay "3.0.0"; 1.0 can be read.']);
});

async function linesOf(texts: FixtureFiles): Promise<readonly string[]> {
  return (await lintOverlaid(texts)).map(
    ({ code, message, origin: { file, line, column } }) => `${file}:${line}:${column} ${code} ${message}`,
  );
}

function lintOverlaid(texts: FixtureFiles): ReturnType<typeof lint> {
  return withFixtureFolder(texts, (folder) =>
    lint(path.join(folder, "openapi.yaml"), { ruleset: "strict", overlays: [path.join(folder, "ours.yaml")] }),
  );
}
