import type { Expect, Template } from "@plumbline/conformance-runtime";
import type { Failure, Operation } from "../model/api.js";

/** What is expected of an answer that tells of a failure; `field` where it names none that is always the same. */
export function failing(failure: Failure, field?: Template): Expect {
  const named = failure.field === undefined || failure.field?.includes("$") === true ? field : failure.field;
  return {
    status: failure.status,
    error: {
      ...(named === undefined ? {} : { field: named }),
      ...(failure.mentions.length === 0 ? {} : { mentions: failure.mentions }),
    },
  };
}

/** The statuses of its successes. */
export function successesOf(operation: Operation): readonly number[] {
  const documented = operation.replies.flatMap(({ status }) =>
    typeof status === "number" && status < 300 ? [status] : [],
  );
  return documented.length > 0 ? documented : [200, 201, 202, 204];
}
