import type { ValidationIssue } from "@cloud-compute/validator";
import { valueAt } from "@plumbline/kit/model";
import { jsonBody, type Json, type Operation } from "./model.js";
import type { Oracle } from "./oracle.js";

/** A validated body. */
export interface Case {
  readonly operation: Operation;
  readonly value: Json;
  /** Whether our validator accepts it. */
  readonly isAccepted: boolean;
  readonly issues: readonly ValidationIssue[];
  readonly oracle: Oracle;
}

interface Difference {
  readonly because: string;
  readonly explains: (validated: Case) => boolean;
}

/** Reasons why our validator and the schema alone may disagree about a body. */
export const differences: readonly Difference[] = [
  {
    because: "a null counts as a field that was not sent, where x-input says so",
    explains: ({ operation, value, isAccepted, oracle }) =>
      isAccepted &&
      jsonBody(operation)?.input.nulls === "absent" &&
      oracle.body(operation.method, operation.path)(withoutNulls(value)),
  },
  {
    because: "a change may repeat the value of a field in a response, where x-input allows it",
    explains: ({ operation, value, isAccepted, oracle }) => {
      if (!isAccepted || jsonBody(operation)?.input.unchanged !== "accept") return false;
      const validate = oracle.body(operation.method, operation.path);
      validate(value);
      const fields = (validate.errors ?? []).map(({ instancePath }) => instancePath.split("/")[1] ?? "");
      return fields.every((field) => {
        const shown = oracle.shown(operation.method, operation.path, field);
        return shown?.((value as Readonly<Record<string, Json>>)[field]);
      });
    },
  },
  {
    because: "x-limits and x-scopes say what JSON Schema cannot",
    explains: ({ isAccepted, issues }) =>
      !isAccepted && issues.every(({ code }) => ["combined", "serialized", "unique", "scopes"].includes(code)),
  },
  {
    because: "an integer has to be one that a double can hold",
    explains: ({ isAccepted, issues }) => !isAccepted && issues.every(({ code }) => code === "safeInteger"),
  },
  {
    because: "a date and time has a T between the two",
    explains: ({ value, isAccepted, issues }) =>
      !isAccepted &&
      issues.every(({ field = "" }) => /^\d{4}-\d\d-\d\d \d/.test(String(valueAt(value, field.split("."))))),
  },
];

export function differenceOf(validated: Case): string | undefined {
  return differences.find(({ explains }) => explains(validated))?.because;
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => withoutNulls(each));
  if (typeof value !== "object" || value === null) return value;
  const given = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(given.map(([name, each]) => [name, withoutNulls(each)]));
}
