import { testForType, type Assertion } from "../keyword.js";
import { measures } from "../measure.js";

/** An object with one of these properties has the properties that it depends on. */
export const dependentRequired: Assertion<"dependentRequired"> = {
  name: "dependentRequired",
  types: measures.properties.types,
  testOf: testForType("dependentRequired", measures.properties.isMeasured, (value, stated) =>
    Object.entries(stated).every(([name, names]) => !(name in value) || names.every((each) => each in value)),
  ),
};
