import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { createCluster, createInstance } from "@cloud-compute/validator";
import { parseYaml } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { repository } from "../support/places.js";
import { unportable } from "../support/portable-pattern.js";

const spec = path.join(repository, "spec");

it("every pattern of the description is one that engines without lookaround accept, too", async () => {
  const files = (await readdir(spec, { recursive: true })).filter((each) => each.endsWith(".yaml"));
  const patterns = (await Promise.all(files.map(documentOf))).flatMap(patternsIn);
  expect(patterns.length).toBeGreaterThan(40);
  const found = patterns.map((each) => [each, unportable(each)] as const).filter(([, what]) => what !== undefined);
  expect(found).toEqual([]);
});

it.each([
  ["^(?!.*--)a", "(?!"],
  ["^a(?=b)", "(?="],
  ["(?<=a)b", "(?<="],
  ["(?<!a)b", "(?<!"],
  [String.raw`(a)\1`, String.raw`\1`],
  [String.raw`(?<n>a)\k<n>`, String.raw`\k<n>`],
  [String.raw`^[\u0000-\uD7FF]$`, String.raw`\u0000`],
  [String.raw`^\u{1F600}$`, String.raw`\u{1F600}`],
  [String.raw`\p{Script=Latin}`, String.raw`\p{Script=Latin}`],
  [String.raw`\cJ`, String.raw`\cJ`],
  ["[a[b]", "[a[b]"],
  ["[a&&b]", "[a&&b]"],
  ["[]", "[]"],
  ["a{1001}", "{1001}"],
  ["a{1,2000}", "{1,2000}"],
])("%s is found by its %s", (pattern, what) => {
  expect(unportable(pattern)).toBe(what);
});

it.each([
  String.raw`\(?=`,
  String.raw`\\u0041`,
  String.raw`\\1`,
  String.raw`^\p{L}[^\s\[\]]\x00$`,
  "(?:a|b)(?<name>c){2,1000}",
])("%s is accepted", (pattern) => {
  expect(unportable(pattern)).toBeUndefined();
});

// The patterns as they were with lookahead and \u escapes. Whatever is written instead accepts the same texts.
const earlier = {
  label: /^(?!.*(?:--|__|\.\.))[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]$/u,
  clusterLabel: /^[\u0000-\uD7FF\uE000-\uFFFF]*$/u,
  advance:
    /^P(?=[0-9]|T[0-9])(?:[0-9]+Y)?(?:[0-9]+M)?(?:[0-9]+W)?(?:[0-9]+D)?(?:T(?=[0-9])(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+(?:\.[0-9]+)?S)?)?$/u,
};

it("labels of instances are those that they were", async () => {
  const { InstanceLabel } = (await documentOf("instances/schemas.yaml")) as Record<string, object>;
  const accepts = validatorOf(InstanceLabel);
  const words = [
    ...wordsOf("aZ9-_.é\n", 5),
    ...["-", "--", "a"].map((end) => `${"a".repeat(62)}${end}`),
    "a".repeat(65),
  ];
  const expected = (text: string) => text.length >= 3 && text.length <= 64 && earlier.label.test(text);
  expect(words.filter(expected).length).toBeGreaterThan(1000);
  expect(words.filter((each) => accepts(each) !== expected(each))).toEqual([]);
  const generated = (label: string) => createInstance.body({ region: "us-east", type: "g6-nanode-1", label }).ok;
  expect(words.filter((each) => generated(each) !== expected(each))).toEqual([]);
});

it("labels of clusters are those that they were", async () => {
  const document = (await documentOf("kube/schemas.yaml")) as Record<string, { properties: Record<string, object> }>;
  const accepts = validatorOf(document["ClusterCreate"]?.properties["label"]);
  const characters = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
  const words = [...characters, "\u{10000}", "\u{1f600}", "\u{10ffff}", "a\u{1f600}"];
  expect(words.filter((each) => accepts(each) !== earlier.clusterLabel.test(each))).toEqual([]);
  const request = { region: "us-east", k8s_version: "1.29", node_pools: [{ type: "g6-standard-1", count: 1 }] };
  const generated = (label: string) => createCluster.body({ ...request, label }).ok;
  expect(words.filter((each) => generated(each) !== earlier.clusterLabel.test(each))).toEqual([]);
});

it("durations of the test controls are those that they were", async () => {
  const { components } = (await documentOf("test-controls.yaml")) as {
    components: { schemas: Record<string, { properties: Record<string, object> }> };
  };
  const accepts = validatorOf(components.schemas["ClockAdvance"]?.properties["advance"]);
  const rests = wordsOf("T1.YMWDHS", 5);
  const words = [...rests, ...rests.map((each) => `P${each}`), "P1Y2M3W4DT5H6M7.8S", "PT1H\n"];
  expect(words.filter((each) => earlier.advance.test(each)).length).toBeGreaterThan(50);
  expect(words.filter((each) => accepts(each) !== earlier.advance.test(each))).toEqual([]);
});

/** Every text of up to so many of these characters. */
function wordsOf(characters: string, longest: number): readonly string[] {
  const all = [""];
  for (let at = 0; at < all.length && (all[at] ?? "").length < longest; at += 1)
    for (const each of characters) all.push(`${all[at]}${each}`);
  return all;
}

function validatorOf(schema: object | undefined): (text: string) => boolean {
  if (schema === undefined) throw new Error("The description lacks the schema.");
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile({ ...schema, "x-source": [] });
  return (text) => validate(text);
}

async function documentOf(file: string): Promise<unknown> {
  return parseYaml(await readFile(path.join(spec, file), "utf8"));
}

function patternsIn(node: unknown): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (key === "pattern" && typeof value === "string") return [value];
    const names = key === "patternProperties" ? Object.keys(value as object) : [];
    return [...names, ...patternsIn(value)];
  });
}
