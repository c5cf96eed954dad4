import { describe, expect, it } from "vitest";
import { diffTexts, describeRequest } from "../diff-cases.support.js";

describe("branches without a name", () => {
  it("are named by their discriminating value", async () => {
    const of = (value: string): string =>
      `oneOf: [{type: object, properties: {kind: {const: ${value}}}}, {type: integer}]`;
    const found = await diffTexts(describeRequest(of("cat")), describeRequest(of("cow")));
    expect(found.map(({ message }) => message)).toEqual([
      'The request body may also be object with kind "cow".',
      'The request body may no longer be object with kind "cat".',
    ]);
  });

  it.each([100, 101])("are matched when all %i get an additional field", async (count) => {
    const of = (more: string): string => {
      const branches = Array.from({ length: count }, (_, index) => `{properties: {kind: {const: ${index}}${more}}}`);
      return `oneOf: [${branches.join(", ")}]`;
    };
    const found = await diffTexts(describeRequest(of("")), describeRequest(of(", a: {}")));
    expect(found.map(({ code }) => code)).toEqual(Array.from({ length: count }, () => "request-property-added"));
  });
});
