import type { AnnotatedName } from "../conformance/annotated/annotated-apis.js";

/** The faults of `frame-faults.ts` that the suite does not find, with reasons. One that it finds has to leave the list. */
export const missedFrameFaults: Readonly<Record<string, string>> = {
  "also-changed/deleteInstance/volume-grants": "No operation creates volumes, and no restricted user reads its grants.",
  "also-changed/cloneInstance/volumes": "No operation creates volumes.",
  "also-changed/restoreInstanceBackup/tags": "The case sends overwrite as true only.",
  "also-changed/deleteImage/instances": "No instance of the world has the image of the case.",
  "also-changed/createTag/updated": "The tag of the case is new, so that no object has it before.",
  "also-changed/updateClusterPool/nodes": "The description lets the nodes of the cluster change.",
  "also-changed/deleteClusterKubeconfig/high-availability": "The cluster of the case is not highly available.",
  "also-changed/deleteClusterNode/autoscaler": "The autoscaler already has the minimum that the fault sets.",
  "also-changed/updatePreferences/other-clients": "The world has one client of each user.",
  "also-changed/deletePhoneNumber/two-factor": "The caller has no two-factor authentication.",
  "also-changed/answerSecurityQuestions/devices": "The caller has no devices.",
  "also-changed/deleteSSHKey/same-key": "No two keys of the world are the same.",
  "also-changed/updateToken/expiry": "No token of the world has an expiry.",
  "also-changed/updateDomainRecord/other-records": "No two records of the world have the same name when the case runs.",
};

/** The same for the side effects of the annotated servers. */
export const missedSideEffects: Readonly<Record<AnnotatedName, Readonly<Record<string, string>>>> = {
  library: {
    "a correction sets the language to English": "All books of the world are English.",
    "a removed book takes its loans along": "No book that can be removed has loans.",
    "a loan sets the weeks of open loans": "The open loans already have as many weeks.",
  },
  garage: {
    "a car that leaves ends its tickets in other garages": "No car of the world is in two garages.",
    "a closed garage closes those whose codes begin with its code": "No code of the world begins with another one.",
    "a closed garage ends the tickets of its cars elsewhere": "No car of the world is in two garages.",
    "a car that enters voids the payments of others":
      "Time could do so, and without test controls the suite does not know when.",
    "a car that leaves removes tickets of cars that left before": "No car of the world has left.",
    "a car that enters corrects its tickets in other garages": "No car of the world is in two garages.",
    "a new garage sets the places in other accounts": "All garages of the world have as many places.",
  },
  clinic: {
    "a finished appointment finishes those that wait for the doctor": "No other appointment waits for the doctor.",
    "a finished appointment loses its reason": "The appointment of the case has no reason.",
    "an urgent booking makes the patient urgent elsewhere":
      "The patient of an urgent booking has no other appointment.",
    "a deleted appointment clears the e-mail of its patient": "The patient of the case has no e-mail.",
  },
  notes: {},
};
