import { expect, test } from "vitest";
import { areaFile } from "./areas.js";

test.each([
  ["Pets", "pets"],
  ["Pets & Toys", "pets-toys"],
  ["../../etc", "etc"],
  ["Café", "cafe"],
  ["宠物", "default"],
  ["", "default"],
])("the tag %j has the file %s", (area, file) => {
  expect(areaFile(area)).toBe(file);
});
