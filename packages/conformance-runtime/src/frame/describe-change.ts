import { summarizeValue } from "../assert/describe-schema.js";
import { createFailure } from "../assert/failures.js";
import { redactSecretValues } from "../http/secrets.js";
import type { AssertionFailure } from "../results.js";
import { formatJson } from "../values/json.js";
import type { Change } from "./find-changes.js";

/** A fault that changes much is seen in a few changes. */
export const maxReportedChanges = 10;

/** Says what has changed, who sees it, and where. The message is without its subject: `creates Tag a, as GET /tags shows`. */
export function describeChange(change: Change, requirements: readonly string[]): AssertionFailure {
  const { does, object, at } = change;
  const [before, after] = [change.before, change.after].map((each) =>
    each === undefined ? each : redactSecretValues(each, at.split("/").at(-1)),
  );
  const name = `${object.kind}${object.id === "" ? "" : ` ${object.id}`}`;
  const what = `${name}${object.party.startsWith("another") ? ` of ${object.party}` : ""}`;
  const happened = {
    set: `changes ${at} of ${what} from ${summarizeValue(before)} to ${summarizeValue(after)}`,
    create: `creates ${what}`,
    delete: `removes ${what}`,
  };
  const difference = {
    part: "value",
    at,
    kind: does === "set" ? "different" : does === "create" ? "unexpected" : "missing",
    expected: summarizeValue(before),
    received: summarizeValue(after),
  } as const;
  return {
    ...createFailure(difference, { requirements, expected: formatJson(before), received: formatJson(after) }),
    message: `${happened[does]}, as GET ${object.address} shows`,
  };
}
