import { testForType, type Assertion } from "../keyword.js";
import { measures } from "../measure.js";

/** No two items of an array are equal. */
export const uniqueItems: Assertion<"uniqueItems"> = {
  name: "uniqueItems",
  types: measures.items.types,
  testOf: testForType(
    "uniqueItems",
    measures.items.isMeasured,
    (items) => new Set(items.map((each) => JSON.stringify(each))).size === items.length,
  ),
};
