import { expect, it } from "vitest";
import type { Template } from "../suite.js";
import { formatTemplate } from "./format-template.js";

it.each<[Template, string]>([
  [{ a: [1, null, true, "x"] }, '{"a": [1, null, true, "x"]}'],
  [{ $get: "made#/body/id" }, "<made.body.id>"],
  [{ $get: "made" }, "<made>"],
  [{ $text: ["a-", { $get: "x#/id" }] }, '<"a-" + <x.id>>'],
  [{ $repeat: ["x", 65] }, '<"x" × 65>'],
  [{ $list: [{ a: 1 }, 26] }, '[<{"a": 1} × 26>]'],
  [{ $unique: "ssh-key" }, "<new ssh-key>"],
  [{ $time: "PT1H" }, "<now + PT1H>"],
  [{ $time: "-PT1H" }, "<now - PT1H>"],
  [{ $merge: [{ a: 1 }, { b: { $absent: true } }] }, '{"a": 1} and on top {"b": <absent>}'],
  [{ $sum: [1, { $get: "x#/id" }] }, "<1 + <x.id>>"],
  [{ $find: [{ $get: "all#/data" }, { const: 1 }] }, '<the first of <all.data> that matches {"const": 1}>'],
  [{ $json: { a: 1 } }, '<JSON text of {"a": 1}>'],
  [{ $index: true }, "<round>"],
  [{ $literal: { $get: "x" } }, '{"$get":"x"}'],
  [{ $ref: "#/$defs/Note" }, '{"$ref": "#/$defs/Note"}'],
  [{}, "{}"],
])("%j is written %s", (template, text) => {
  expect(formatTemplate(template)).toBe(text);
});
