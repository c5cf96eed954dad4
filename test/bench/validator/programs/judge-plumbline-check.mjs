// The compiled check alone: without defaults, copies, and words.
import { createInstance } from "@cloud-compute/validator/operations";

const { check } = createInstance.definition.body.contents["application/json"];

export function judge(value) {
  const faults = [];
  check(value, faults);
  return faults.length;
}
