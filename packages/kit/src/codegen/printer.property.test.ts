import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { propertyRuns, untrustedText } from "../../../../test/support/property-testing.js";
import { type Json, camelCase, pascalCase } from "../model/index.js";
import { docComment, isIdentifier, propertyKey, jsonLiteral, printSourceFile, type Code } from "./printer.js";

function printed(piece: Code): string {
  return printSourceFile([piece]).trim();
}

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    untrustedText,
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.constantFrom(null, true, false, -0),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(untrustedText, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

test("any value survives the round trip", () => {
  fc.assert(
    fc.property(json, (value) => {
      const written = printed(jsonLiteral(value));
      expect(written).toMatch(/^[\x20-\x7e\u00a0-\u{10ffff}]*$/u);
      expect(JSON.stringify(runInNewContext(`(${written})`))).toBe(JSON.stringify(value));
    }),
    propertyRuns(200, 5000),
  );
});

test("any text is one key", () => {
  fc.assert(
    fc.property(untrustedText, (name) => {
      expect(Object.keys(runInNewContext(`({ ${printed(propertyKey(name))}: 1 })`) as object)).toEqual([name]);
    }),
    propertyRuns(200, 5000),
  );
});

test("any lines are one comment, and nothing behind it", () => {
  fc.assert(
    fc.property(fc.array(untrustedText, { maxLength: 4 }), (lines) => {
      const written = printed(docComment(lines));
      const ranges = ts.getLeadingCommentRanges(`${written}\n`, 0) ?? [];
      expect(ranges.map(({ pos, end }) => [pos, end])).toEqual(written === "" ? [] : [[0, written.length]]);
    }),
    propertyRuns(200, 5000),
  );
});

test("any text gives a valid identifier or none", () => {
  fc.assert(
    fc.property(untrustedText, (given) => {
      for (const name of [camelCase(given), pascalCase(given)])
        expect(name === undefined || isIdentifier(name)).toBe(true);
    }),
    propertyRuns(200, 5000),
  );
});
