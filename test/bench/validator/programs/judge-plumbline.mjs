import { createInstance } from "@cloud-compute/validator/operations";

export function judge(value) {
  const judged = createInstance.body(value);
  return judged.ok ? 0 : judged.faults.length;
}
