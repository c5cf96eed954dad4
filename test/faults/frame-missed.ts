import type { AnnotatedName } from "../conformance/annotated/annotated-apis.js";

/** The faults of `frame-faults.ts` that the suite does not find, with reasons. One that it finds has to leave the list. */
export const missedFrameFaults: Readonly<Record<string, string>> = {
  "also-changed/deleteInstance/volume-grants": "No operation creates volumes, and no restricted user reads its grants.",
  "also-changed/cloneInstance/volumes": "No operation creates volumes.",
};

/** The same for the side effects of the annotated servers. */
export const missedSideEffects: Readonly<Record<AnnotatedName, Readonly<Record<string, string>>>> = {
  library: {
    "a removed book takes its loans along": "No book that can be removed has loans.",
  },
  garage: {
    "a car that enters voids the payments of others":
      "Time could do so, and without test controls the suite does not know when.",
  },
  clinic: {
    "an urgent booking makes the patient urgent elsewhere":
      "The patient of an urgent booking has no other appointment.",
  },
  notes: {},
};
