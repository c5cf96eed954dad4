import { beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../model/api.js";
import { apiOf } from "../model/testing.support.js";
import { differences } from "./differences.js";
import { rich } from "./rich.support.js";
import { changedAt, propertiesOfModel, spotsOf } from "./spots.support.js";

/** Parts of the model that may change without a difference, with the reason. An unused entry fails the test. */
const silent: readonly (readonly [path: RegExp, because: string])[] = [
  [/\/(origin|sources)(\/|$)/, "Positions and sources do not belong to the API."],
  [/^\/(requirements|assumptions)(\/|$)/, "Requirements and assumptions do not belong to the API."],
  [/\/formOf(\/|$)/, "The fields of a variant show what it omits."],
  [/\/proof$/, "Another workflow verifies the same effect or error."],
  [/\/required(\/\d+)?$/, "A described field states itself whether it is required."],
  [/\/limits\/\d+\/window\/text$/, "PT60S and PT1M are the same duration."],
];

const { all } = propertiesOfModel();

let api: Api;
beforeAll(async () => {
  api = await apiOf({
    "openapi.yaml": rich,
    "requirements.yaml":
      "documents: {api: {title: Notes, sections: {One: {notes.area: {line: 1, says: There are notes}}}}}",
  });
});

describe("every part of a model", () => {
  it("occurs in the description of the test", () => {
    const met = new Set(spotsOf(api).flatMap(({ path }) => path));
    expect(all.filter((name) => !met.has(name))).toEqual([]);
  });

  it("is compared: its change is a difference, except where the list has a reason", () => {
    const unseen: string[] = [];
    const needed = new Set<RegExp>();
    for (const { path, change } of spotsOf(api)) {
      const name = `/${path.join("/")}`;
      for (const [how, changed] of change) {
        const found = differences(api, changedAt(api, path, changed));
        const reason = silent.find(([pattern]) => pattern.test(name));
        if (reason !== undefined && found.length === 0) needed.add(reason[0]);
        if (reason === undefined && found.length === 0) unseen.push(`${name} ${how}`);
      }
    }
    expect(unseen).toEqual([]);
    expect(silent.filter(([pattern]) => !needed.has(pattern))).toEqual([]);
  });
});
