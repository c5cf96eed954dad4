import { beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../model/api.js";
import { apiOf } from "../model/testing.support.js";
import { differences } from "./differences.js";
import { rich } from "./rich.support.js";
import { changedAt, propertiesOfModel, spotsOf } from "./spots.support.js";

/** What may change in a model without a difference, and why. One that nothing needs fails. */
const silent: readonly (readonly [path: RegExp, because: string])[] = [
  [/\/(origin|sources)(\/|$)/, "Where something stands, and what states it, is no part of what it says."],
  [/^\/(requirements|assumptions)(\/|$)/, "The same."],
  [/\/formOf(\/|$)/, "What a form leaves out is seen in its fields."],
  [/\/proof$/, "A suite shows it with another story; what is shown is the same."],
  [/\/required(\/\d+)?$/, "Of a field that is described, the field itself says whether it is required."],
  [/\/limits\/\d+\/window\/text$/, "PT60S and PT1M are the same time."],
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
  it("occurs in the rich one", () => {
    const met = new Set(spotsOf(api).flatMap(({ path }) => path));
    expect(all.filter((name) => !met.has(name))).toEqual([]);
  });

  it("is compared: a change of it is a difference, but for what has a reason", () => {
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
