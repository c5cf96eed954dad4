import type { Expect, Template } from "@plumbline/conformance-runtime";
import type { Failure, Operation } from "../model/api.js";

/** The expectation of an error. `field` applies when the error has no constant field. */
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

/** The documented success statuses of an operation. */
export function successesOf(operation: Operation): readonly number[] {
  const documented = operation.replies.flatMap(({ status }) =>
    typeof status === "number" && status < 300 ? [status] : [],
  );
  return documented.length > 0 ? documented : [200, 201, 202, 204];
}
