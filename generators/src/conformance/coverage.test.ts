import { expect, test } from "vitest";
import { contextFromText, housesDescription } from "./context/fixture-context.support.js";
import { coverageDiagnostics } from "./coverage.js";
import { generateCases } from "./generate-cases.js";

const texts = {
  "openapi.yaml": housesDescription,
  "requirements.yaml": `documents:
  only:
    title: The document
    sections: {Houses: {house.id: {line: 1, says: Houses have an id.}, house.name: {line: 2, says: And a name.}}}
`,
};

test("every requirement needs a case or a reason, once there are reasons", async () => {
  const context = await contextFromText(texts, { untested: {} });
  expect(coverageDiagnostics(context, generateCases(context.api, context.options))).toEqual([]);
  const diagnostics = coverageDiagnostics(context, []).map(({ code, message }) => [code, message]);
  expect(diagnostics).toEqual([
    ["conformance/untested", 'No case of the suite tests "house.id".'],
    ["conformance/untested", 'No case of the suite tests "house.name".'],
  ]);
  expect(coverageDiagnostics(await contextFromText(texts), [])).toEqual([]);
});

test("a reason for a tested requirement is reported", async () => {
  const context = await contextFromText(texts, { untested: { "house.id": "It is not visible." } });
  expect(
    coverageDiagnostics(context, generateCases(context.api, context.options)).map(({ code, message }) => [
      code,
      message,
    ]),
  ).toEqual([
    [
      "conformance/unused-exemption",
      'The settings list "house.id" as untested, but houses/listHouses/accepts tests it.',
    ],
  ]);
});

test("unknown cases in the settings are reported, with and without reasons", async () => {
  const also = { "house.id": ["houses/*/accepts", "houses/getHouse/acepts"], "house.name": ["flats/*"] };
  const context = await contextFromText(texts, { also });
  expect(
    coverageDiagnostics(context, generateCases(context.api, context.options)).map(({ code, message }) => [
      code,
      message,
    ]),
  ).toEqual([
    ["conformance/unknown", 'The settings assign "house.id" to the unknown case "houses/getHouse/acepts".'],
    ["conformance/unknown", 'The settings assign "house.name" to the unknown case "flats/*".'],
  ]);
});
