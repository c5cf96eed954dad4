import type { OperationResponse } from "./api.js";

/** True for a status or range of successes. `default` counts as errors. */
export function isSuccess({ status }: Pick<OperationResponse, "status">): boolean {
  return String(status).startsWith("2");
}
