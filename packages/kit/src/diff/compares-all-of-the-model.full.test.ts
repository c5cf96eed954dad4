import { beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../model/index.js";
import { buildFixtureApi } from "../openapi/testing.js";
import { compareDescriptions } from "./compare-descriptions.js";
import { mutateModel, readModelProperties, findMutationSites } from "./model-mutations.support.js";
import { richDescription, richKeywords } from "./rich-description.support.js";

/** Parts of the model that may change without a difference, with the reason. An unused entry fails the test. */
const silent: readonly (readonly [path: RegExp, because: string])[] = [
  [/\/(origin|sources)(\/|$)/, "Positions and sources do not belong to the API."],
  [/^\/(requirements|assumptions)(\/|$)/, "Requirements and assumptions do not belong to the API."],
  [/^\/headers(\/|$)/, "Responses document them."],
  [/^\/(unchecked|slow)Patterns(\/|$)/, "They do not change which values are accepted."],
  [/\/variantOf(\/|$)/, "The fields of a variant show what it omits."],
  [/\/verifiedBy$/, "Another workflow verifies the same effect or error."],
  [/\/required(\/\d+)?$/, "A described field states itself whether it is required."],
  [/^\/nestedArrays$/, "Servers read every form that clients may write."],
  [
    /\/oneOf\/\d+\/properties\/\d+\/(readOnly|writeOnly|schema\/(types\/0|const))$/,
    "The value that a discriminator requires of a branch: its change is one of the discriminator.",
  ],
  [/^\/sentRequests\/\d+\/requestBody\/input\//, "They are about bodies that the API receives."],
  [/\/itemData$/, "The types in `itemSchema` show it."],
  [/\/deprecation\/(since|sunset)\/text$/, "2027-06-30 and 2027-06-30T00:00:00Z are the same instant."],
  [/\/limits\/\d+\/window\/text$/, "PT60S and PT1M are the same duration."],
];

const { all } = readModelProperties();

let api: Api;
beforeAll(async () => {
  const texts = {
    "openapi.yaml": richDescription,
    "requirements.yaml":
      "documents: {api: {title: Notes, sections: {One: {notes.area: {line: 1, says: There are notes}}}}}",
  };
  // An option of the configuration, not a part of the description.
  api = { ...(await buildFixtureApi(texts, {}, richKeywords)), nestedArrays: "brackets" };
});

describe("every part of a model", () => {
  it("occurs in the description of the test", () => {
    const met = new Set(findMutationSites(api).flatMap(({ path }) => path));
    expect(all.filter((name) => !met.has(name))).toEqual([]);
  });

  it("is compared: its change is a difference, except where the list has a reason", () => {
    const unseen: string[] = [];
    const needed = new Set<RegExp>();
    for (const { path, change } of findMutationSites(api)) {
      const name = `/${path.join("/")}`;
      for (const [how, changed] of change) {
        if (isCompared(path, changed)) continue;
        const reason = silent.find(([pattern]) => pattern.test(name));
        if (reason === undefined) unseen.push(`${name} ${how}`);
        else needed.add(reason[0]);
      }
    }
    expect(unseen).toEqual([]);
    expect(silent.filter(([pattern]) => !needed.has(pattern))).toEqual([]);
  });
});

/** Whether a change of a part is a difference. No words exist for a place, or a kind of limit, grant or expression, that does not exist. */
function isCompared(path: readonly string[], changed: unknown): boolean {
  try {
    return compareDescriptions(api, mutateModel(api, path, changed)).length > 0;
  } catch (error) {
    if (["in", "kind", "root"].includes(path.at(-1) ?? "")) return true;
    throw error;
  }
}
