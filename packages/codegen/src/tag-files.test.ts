import { expect, test } from "vitest";
import { tagFileName } from "./tag-files.js";

test.each([
  ["Pets", "pets"],
  ["Pets & Toys", "pets-toys"],
  ["../../etc", "etc"],
  ["Café", "cafe"],
  ["宠物", "default"],
  ["", "default"],
])("the tag %j has the file %s", (tag, file) => {
  expect(tagFileName(tag)).toBe(file);
});
