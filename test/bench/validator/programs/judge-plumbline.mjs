import { createInstance } from "@cloud-compute/validator/operations";

export function judge(value) {
  const result = createInstance.body(value);
  return result.ok ? 0 : result.issues.length;
}
