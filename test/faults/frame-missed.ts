import type { AnnotatedName } from "../conformance/annotated/annotated-apis.js";

/** The faults of `frame-faults.ts` that the suite does not find, with reasons. One that it finds has to leave the list. */
export const missedFrameFaults: Readonly<Record<string, string>> = {
  "also-changed/deleteInstance/volume-grants": "No operation creates volumes, and no restricted user reads its grants.",
  "also-changed/cloneInstance/volumes": "No operation creates volumes.",
  "also-changed/createInstanceSnapshot/schedule": "The platform has chosen the day that the fault sets.",
  "also-changed/createTag/updated": "The tag of the case is new, so that no object has it before.",
  "also-changed/updateClusterPool/nodes": "The description lets the nodes of the cluster change.",
  "also-changed/deleteClusterNode/autoscaler": "The autoscaler already has the minimum that the fault sets.",
  "also-changed/updatePreferences/other-clients": "The world has one client of each user.",
  "also-changed/deletePhoneNumber/two-factor": "The caller has no two-factor authentication.",
  "also-changed/answerSecurityQuestions/devices": "The caller has no devices.",
  "also-changed/updateToken/expiry": "No token of the world has an expiry.",
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
