import { describe, expect, it } from "vitest";
import { findNameError, readExportedNames } from "./support/exported-names.js";
import { readTracked, trackedFiles } from "./support/tracked.js";

/** Names that stand against the rules: `FILE#NAME`, with the reason. An entry that nothing needs fails. */
const exemptions: Readonly<Record<string, string>> = {};

/** Names that two files of a package may both export, with the reason. An entry that nothing needs fails. */
const repeated: Readonly<Record<string, string>> = {};

const files = trackedFiles().filter(
  (file) => /^(generators|packages)\/.*\/?src\/.*\.ts$/.test(file) && !/\/gen\/|\.test\.ts$|\.support\.ts$/.test(file),
);

describe("exported names", () => {
  const names = files.flatMap((file) =>
    readExportedNames(file, readTracked(file)).map((each) => ({
      file,
      package: file.split("/src/")[0] ?? "",
      ...each,
    })),
  );

  it("are phrases of the field", () => {
    expect(names.length).toBeGreaterThan(1000);
    const wrong = names.flatMap((each) => {
      const error = findNameError(each);
      return error === undefined
        ? []
        : [{ key: `${each.file}#${each.name}`, line: `${each.file}:${each.line} ${each.name}: ${error}` }];
    });
    expect(wrong.filter(({ key }) => exemptions[key] === undefined).map(({ line }) => line)).toEqual([]);
    expect(Object.keys(exemptions).filter((key) => !wrong.some((each) => each.key === key))).toEqual([]);
  });

  it("are unique in their package", () => {
    const twice = names.flatMap((each) => {
      const first = names.find((other) => other.package === each.package && other.name === each.name);
      return first === undefined || first.file === each.file
        ? []
        : [{ key: `${each.package}#${each.name}`, text: `${each.name}: ${first.file}, ${each.file}` }];
    });
    expect(twice.filter(({ key }) => repeated[key] === undefined).map(({ text }) => text)).toEqual([]);
    expect(Object.keys(repeated).filter((key) => !twice.some((each) => each.key === key))).toEqual([]);
  });
});

describe("a name that says too little is found", () => {
  it.each([
    ["export function tellCaller(): void {}", '"tell" is a word of no field; GLOSSARY.md has the field\'s'],
    ["export interface Found {}", "a participle alone does not say of what"],
    ["export const remembered = () => 1;", "a participle alone does not say of what"],
    ["export type Others = string;", "a pronoun says nothing in an import list"],
    ["export class TooLarge extends Error {}", "the name of an error ends in Error"],
    ["export const usualWait = 5;", "a constant that is measured ends in its unit"],
    ["export const lockTimeoutMs = 5 * 1000;", undefined],
    ["export class TooLargeError extends TypeError {}", undefined],
    ["export function findReferences(): void {}\nfunction told(): void {}", undefined],
  ])("%s", (text, error) => {
    expect(readExportedNames("a.ts", text).map(findNameError)).toEqual([error]);
  });
});
