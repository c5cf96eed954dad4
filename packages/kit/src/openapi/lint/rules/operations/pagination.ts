import { isJsonObject } from "../../../../model/index.js";
import { didYouMean } from "../../../read/did-you-mean.js";
import { fieldNamesIn, hasField, findParameter, successSchemas } from "../../fields.js";
import type { LintRule } from "../../rule.js";

/** A paginated list has both parameters, and its response has all fields of the envelope. */
export const paginationRule: LintRule<"pagination/unknown"> = {
  codes: {
    "pagination/unknown": ["error", "warning", "A paginated list lacks a parameter or a field of the envelope."],
  },
  *check(index) {
    for (const { host, node: lists } of index.byField("x-lists")) {
      const node = lists.get("pages");
      if (node === undefined) continue;
      const [page, size] = [node.text("page"), node.text("size")];
      // A rule of the vocabulary reports an incomplete field.
      if (page === undefined || size === undefined) continue;
      const whole = host.type === "Root";
      const operations = whole
        ? index.operations.filter((each) => findParameter(each, "query", page))
        : index.operationsAt(host.node);
      for (const operation of operations) {
        const name = operation.name ?? "This operation";
        for (const parameter of [page, size]) {
          if (findParameter(operation, "query", parameter)) continue;
          yield {
            code: "pagination/unknown",
            at: whole ? operation.node : node,
            message: `${name} is paginated and has no query parameter "${parameter}".`,
            fix: "Add the parameter.",
          };
        }
        const schemas = successSchemas(operation);
        const envelope = node.object["envelope"];
        for (const field of isJsonObject(envelope) ? Object.values(envelope) : []) {
          if (typeof field !== "string" || hasField(schemas, [field])) continue;
          yield {
            code: "pagination/unknown",
            at: whole ? operation.node : node,
            message: `${name} is paginated and its response has no field "${field}".`,
            fix: didYouMean(field, fieldNamesIn(schemas), "fields"),
          };
        }
      }
    }
  },
};
