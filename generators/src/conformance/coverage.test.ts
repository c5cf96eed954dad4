import { expect, test } from "vitest";
import { coverageProblems } from "./coverage.js";
import { casesOf } from "./index.js";
import { contextFrom, houses } from "./testing.support.js";

const texts = {
  "openapi.yaml": houses,
  "requirements.yaml": `documents:
  only:
    title: The document
    sections: {Houses: {house.id: {line: 1, says: Houses have an id.}, house.name: {line: 2, says: And a name.}}}
`,
};

test("a requirement has a case or a reason, once there are reasons", async () => {
  const context = await contextFrom(texts, { untested: {} });
  expect(coverageProblems(context, casesOf(context.api, context.options))).toEqual([]);
  const told = coverageProblems(context, []).map(({ code, message }) => [code, message]);
  expect(told).toEqual([
    ["conformance/untested", 'No case of the suite tests "house.id".'],
    ["conformance/untested", 'No case of the suite tests "house.name".'],
  ]);
  expect(coverageProblems(await contextFrom(texts), [])).toEqual([]);
});

test("a reason for what is tested is told", async () => {
  const context = await contextFrom(texts, { untested: { "house.id": "Nobody sees it." } });
  expect(coverageProblems(context, casesOf(context.api, context.options)).map(({ message }) => message)).toEqual([
    'The settings say that nothing tests "house.id", and houses/listHouses/accepts does.',
  ]);
});

test("what the settings say of cases that there are not is told, reasons or none", async () => {
  const also = { "house.id": ["houses/*/accepts", "houses/getHouse/acepts"], "house.name": ["flats/*"] };
  const context = await contextFrom(texts, { also });
  expect(
    coverageProblems(context, casesOf(context.api, context.options)).map(({ code, message }) => [code, message]),
  ).toEqual([
    [
      "conformance/unknown",
      'The settings say that "houses/getHouse/acepts" tests "house.id", and no case is called so.',
    ],
    ["conformance/unknown", 'The settings say that "flats/*" tests "house.name", and no case is called so.'],
  ]);
});
