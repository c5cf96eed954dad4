import type { Expect, Template } from "@plumbline/conformance-runtime";
import type { Failure, Operation } from "../model/api.js";
import type { Context } from "./context.js";

/** The failure of this id: of the operation, else one that all share. */
export function failureOf({ api }: Context, operation: Operation, id: string | undefined): Failure | undefined {
  if (id === undefined) return undefined;
  return [...operation.failures, ...api.failures].find((each) => each.id === id);
}

/** What is expected of an answer that tells of a failure; `field` in place of what the failure does not name. */
export function failing(failure: Failure, field?: Template): Expect {
  const named = failure.field === "$each" || failure.field === undefined ? field : failure.field;
  return {
    status: failure.status,
    error: {
      ...(named === undefined ? {} : { field: named }),
      ...(failure.mentions.length === 0 ? {} : { mentions: failure.mentions }),
    },
  };
}

/** What is expected of an answer to a request that breaks a rule: the documented status, and where errors are described, the field. */
export function refusing({ api }: Context, operation: Operation, field: Template): Expect {
  const shared = api.failures.find((each) => each.field === undefined && each.status === 400);
  if (shared !== undefined) return { status: shared.status, error: { field } };
  const documented = operation.replies.flatMap(({ status }) => (status === 400 || status === 422 ? [status] : []));
  return { status: documented.length > 0 ? documented : [400, 422] };
}

/** The statuses of its successes. */
export function successesOf(operation: Operation): readonly number[] {
  const documented = operation.replies.flatMap(({ status }) =>
    typeof status === "number" && status < 300 ? [status] : [],
  );
  return documented.length > 0 ? documented : [200, 201, 202, 204];
}

