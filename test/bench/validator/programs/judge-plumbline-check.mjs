// The compiled check alone: without defaults, copies, and messages.
import { createInstance } from "@cloud-compute/validator/operations";

const { check } = createInstance.definition.body.contents["application/json"];

export function judge(value) {
  const issues = [];
  check(value, issues);
  return issues.length;
}
