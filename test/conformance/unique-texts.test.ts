import { suite } from "@cloud-compute/conformance";
import type { Case, CallStep, Step, Template } from "@plumbline/conformance-runtime";
import { expect, test } from "vitest";

/** The unique fields of the description, by the operation or fixture whose body has them. */
const uniqueFields: Readonly<Record<string, string>> = {
  createDomain: "domain",
  updateDomain: "domain",
  cloneDomain: "domain",
  importDomain: "domain",
  Domain: "domain",
};

test("no accepted request has a constant in a unique field, which a case at the same time could send too", () => {
  const found = suite.cases.flatMap((each) => each.steps.filter(isConstant).map(() => each.id));
  expect(found).toEqual([]);
});

test("a text that tests a pattern keeps its form", () => {
  const each = suite.cases.find(({ id }) => id === "domains/createDomain/domain/hyphen-within");
  const body = each?.steps.find((step): step is CallStep => "call" in step && step.call === "createDomain")?.body;
  const letter = "a-z";
  const digit = "0-9";
  const places = [letter, letter, digit, letter, digit, letter, digit, letter, digit, letter];
  expect(body).toMatchObject({ domain: { $text: ["", { $unique: places }, "-1-example.com"] } });
});

test("a list filtered by a part of a value that the server makes may contain the other item", () => {
  const each = suite.cases.find(({ id }) => id === "instances/listInstances/filter/ipv4/+contains/a-text-in-it");
  expect(hides(each)).toBe(false);
  const stated = suite.cases.find(({ id }) => id === "instances/listInstances/filter/label/+contains/a-text-in-it");
  expect(hides(stated)).toBe(true);
});

function isConstant(step: Step): boolean {
  const [name, body, isRejected] =
    "call" in step
      ? [step.call, step.body, isRejection(step)]
      : "make" in step
        ? [step.make, step.with, false]
        : ["", undefined, false];
  const field = uniqueFields[name];
  const value = (body as Readonly<Record<string, Template>> | undefined)?.[field ?? ""];
  const text = JSON.stringify(value ?? null);
  return value !== undefined && value !== null && !isRejected && !/"\$(?:unique|get)"/.test(text);
}

function isRejection({ expect: expected }: CallStep): boolean {
  return typeof expected?.status === "number" ? expected.status >= 400 : Array.isArray(expected?.status);
}

function hides(each: Case | undefined): boolean {
  return JSON.stringify(each?.steps).includes('"not":{"contains"');
}
