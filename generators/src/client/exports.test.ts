import { withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { generateClient } from "./generate-client.support.js";

const described = (stated: string): string =>
  withPaths(`/old: {get: {operationId: getOld, ${stated} responses: {'200': {description: ok}}}}`);

test.each([
  ["deprecated: true, x-sunset: 2027-06-30,", true],
  ["deprecated: true,", false],
  ["x-deprecation: {sunset: 2027-06-30},", false],
])("with %s the package exports withDeprecationWarnings: %s", async (stated, isExported) => {
  const { "src/gen/index.ts": index = "", "README.md": readme = "" } = await generateClient(described(stated));
  expect(index.includes("withDeprecationWarnings")).toBe(isExported);
  expect(index.includes("DeprecationNotice")).toBe(isExported);
  if (readme !== "") expect(readme.includes("withDeprecationWarnings")).toBe(isExported);
});
