import { isJsonObject } from "../../../../model/index.js";
import { readCursorPlace } from "../../../read/cursor-place.js";
import { didYouMean } from "../../../read/did-you-mean.js";
import { fieldNamesIn, hasField, findParameter, successHeaders, successSchemas } from "../../fields.js";
import type { LintNode } from "../../lint-node.js";
import type { LintFinding, LintRule } from "../../rule.js";
import type { Extension, LintOperation, SpecIndex } from "../../spec-index.js";

/** A paginated list has its parameters, and its response has all fields of the envelope and the cursor of the next page. */
export const paginationRule: LintRule<"pagination/unknown"> = {
  codes: {
    "pagination/unknown": ["error", "warning", "A paginated list lacks a parameter or a field of the envelope."],
  },
  *check(index) {
    for (const { host, node: lists } of index.byField("x-lists")) {
      const node = lists.get("pages");
      if (node === undefined) continue;
      if (node.has("cursor")) {
        yield* cursorFindings(index, { host, node });
        continue;
      }
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

type Finding = LintFinding<"pagination/unknown">;

function* cursorFindings(index: SpecIndex, { host, node }: Pick<Extension, "host" | "node">): Iterable<Finding> {
  const [cursor, size, next] = [node.text("cursor"), node.text("size"), node.text("next")];
  // A rule of the vocabulary reports an incomplete field.
  if (cursor === undefined || next === undefined) return;
  const isWhole = host.type === "Root";
  const places = isWhole ? index.operations : index.operationsAt(host.node);
  const operations = places.filter((each) => findParameter(each, "query", cursor));
  if (operations.length === 0)
    yield {
      code: "pagination/unknown",
      at: node.at(["cursor"]),
      message: `No list has the query parameter "${cursor}" of the cursor.`,
      fix: 'Declare it in the lists that have pages, or write its name as "cursor".',
    };
  else if (size !== undefined && !operations.some((each) => findParameter(each, "query", size)))
    yield {
      code: "pagination/unknown",
      at: node.at(["size"]),
      message: `No list has the query parameter "${size}" of the size.`,
      fix: 'Declare it in the lists with a cursor, or remove "size".',
    };
  for (const operation of operations)
    yield* nextFindings(operation, { node, next, at: isWhole ? operation.node : node });
}

function* nextFindings(
  operation: LintOperation,
  { node, next, at }: { readonly node: LintNode; readonly next: string; readonly at: LintNode },
): Iterable<Finding> {
  const name = operation.name ?? "This operation";
  const place = readCursorPlace(next);
  const schemas = successSchemas(operation);
  const items = node.get("envelope")?.text("items");
  if (place === undefined)
    yield {
      code: "pagination/unknown",
      at: node.at(["next"]),
      message: `"${next}" is no place of a response.`,
      fix: "Write a field such as `$response.body#/next`, or a header such as `$response.header.X-Next`.",
    };
  if (
    place?.in === "header" &&
    !successHeaders(operation).some((each) => each.toLowerCase() === place.name.toLowerCase())
  )
    yield {
      code: "pagination/unknown",
      at,
      message: `${name} is paginated and its response has no header "${place.name}".`,
      fix: didYouMean(place.name, successHeaders(operation), "headers"),
    };
  const pointers = [...(items === undefined ? [] : [[items]]), ...(place?.in === "body" ? [place.pointer] : [])];
  for (const pointer of pointers) {
    if (hasField(schemas, pointer)) continue;
    yield {
      code: "pagination/unknown",
      at,
      message: `${name} is paginated and its response has no field "${pointer.join("/")}".`,
      fix: didYouMean(pointer.join("/"), fieldNamesIn(schemas), "fields"),
    };
  }
}
