import type { Case } from "@plumbline/conformance-runtime";
import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { flatsDescription } from "../access/access-description.support.js";
import { deprecationCases } from "./deprecation.js";

async function casesOf(stated: string): Promise<readonly Case[]> {
  const text = flatsDescription.replace("operationId: getFlat", `operationId: getFlat\n      ${stated}`);
  return deprecationCases(await contextFromText(text));
}

test("the response of a deprecated operation has the described dates and links", async () => {
  const [found, ...others] = await casesOf(
    "deprecated: true\n      x-deprecation: {since: 2026-01-01, sunset: 2027-06-30, link: 'https://flats.example/a?b', replacement: listFlats, x-source: [flat.old]}",
  );
  expect(others).toEqual([]);
  expect(found).toEqual({
    id: "flats/getFlat/headers/deprecation",
    kind: "responses",
    operation: "getFlat",
    title: "getFlat is deprecated: its response has the described dates and links",
    requirements: ["flat.old"],
    requires: [],
    steps: [
      { make: "Flat", as: "flat" },
      {
        call: "getFlat",
        path: { flatId: { $get: "flat#/id" } },
        expect: {
          headers: {
            deprecation: { const: "@1767225600" },
            sunset: { const: "Wed, 30 Jun 2027 00:00:00 GMT" },
            link: {
              type: "string",
              allOf: [
                {
                  pattern: String.raw`<https:\/\/flats\.example\/a\?b>[^<]*;\s*rel=(?:deprecation\b|"(?:[^"]*\s)?deprecation[\s"])`,
                },
              ],
            },
          },
        },
      },
    ],
  });
});

test.each([
  ['<https://flats.example/a>; rel="deprecation"', true],
  ['<https://flats.example/b>; rel="sunset", <https://flats.example/a>;rel=deprecation;type="text/html"', true],
  ['<https://flats.example/a>; title="A"; rel="help deprecation"', true],
  ['<https://flats.example/a>; rel="sunset", <https://flats.example/b>; rel="deprecation"', false],
  ["<https://flats.example/a>; rel=sunset", false],
  ["<https://flats.example/ab>; rel=deprecation", false],
])("the links %s are the described ones: %s", async (link, isExpected) => {
  const [found] = await casesOf(
    "deprecated: true\n      x-deprecation: {since: 2026-01-01, link: 'https://flats.example/a'}",
  );
  const [, pattern = ""] = /"pattern":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(found)) ?? [];
  expect(new RegExp(JSON.parse(pattern) as string, "u").test(link)).toBe(isExpected);
});

test.each(["", "deprecated: true", "deprecated: true\n      x-deprecation: {link: 'https://flats.example/a'}"])(
  "without dates there is nothing to compare: %j",
  async (stated) => {
    expect(await casesOf(stated)).toEqual([]);
  },
);
