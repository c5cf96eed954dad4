import { fieldNamesOf, leads, parameterOf, successOf } from "../fields.js";
import { instead } from "../names.js";
import type { Rule } from "../rule.js";
import { isRecord } from "../spot.js";

/** A paginated list has both parameters, and its response has all fields of the envelope. */
export const pagination: Rule = function* (survey) {
  for (const { host, spot } of survey.of("x-pagination")) {
    const page = spot.text("page") ?? "";
    const size = spot.text("size") ?? "";
    const whole = host.type === "Root";
    const operations = whole
      ? survey.operations.filter((each) => parameterOf(each, "query", page))
      : survey.operationsAt(host.spot);
    for (const operation of operations) {
      const name = operation.name ?? "This operation";
      for (const parameter of [page, size]) {
        if (parameterOf(operation, "query", parameter)) continue;
        yield {
          code: "pagination/unknown",
          at: whole ? operation.spot : spot,
          message: `${name} is paginated and has no query parameter "${parameter}".`,
          fix: "Add the parameter.",
        };
      }
      const schemas = successOf(operation);
      const envelope = spot.object["envelope"];
      for (const field of isRecord(envelope) ? Object.values(envelope) : []) {
        if (typeof field !== "string" || leads(schemas, [field])) continue;
        yield {
          code: "pagination/unknown",
          at: whole ? operation.spot : spot,
          message: `${name} is paginated and its reply has no field "${field}".`,
          fix: instead(field, fieldNamesOf(schemas), "fields"),
        };
      }
    }
  }
};
