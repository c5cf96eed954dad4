import { filterOperators, type FilterSyntax, isJsonObject } from "../../../../model/index.js";
import { filterStyles, isFilterStyle, orderStyle } from "../../../build/list-styles.js";
import { didYouMean } from "../../../read/did-you-mean.js";
import { findParameter, hasField, resolveFields, successSchemas } from "../../fields.js";
import type { LintNode } from "../../lint-node.js";
import type { LintFinding, LintRule } from "../../rule.js";
import type { Extension, LintOperation, SpecIndex } from "../../spec-index.js";

type Code = "lists/style" | "lists/operator" | "lists/parameter";

/** The filter of `x-lists` has a known style, which writes the operators of fields, and lists have the parameters of filters and orders. */
export const listSyntaxRule: LintRule<Code> = {
  codes: {
    "lists/style": ["error", "warning", "A filter has an unknown style."],
    "lists/operator": ["error", "warning", "No request can write an operator of a field."],
    "lists/parameter": ["error", "warning", "No list has the parameter of the filter or the order."],
  },
  *check(index) {
    for (const extension of index.byField("x-lists")) {
      const filter = extension.node.get("filter");
      const order = extension.node.get("order");
      const style = filter?.text("style");
      if (filter !== undefined && style !== undefined && !isFilterStyle(style))
        yield {
          code: "lists/style",
          at: filter.at(["style"]),
          message: `"${style}" is not a style of filters.`,
          fix: didYouMean(style, Object.keys(filterStyles), "styles"),
        };
      yield* parameterFindings(index, extension, { filter, order });
      if (style === "prefix") yield* prefixFindings(index, extension);
    }
    yield* operatorFindings(index);
  },
};

function* parameterFindings(
  index: SpecIndex,
  { host }: Extension,
  { filter, order }: { readonly filter: LintNode | undefined; readonly order: LintNode | undefined },
): Iterable<LintFinding<Code>> {
  const operations = host.type === "Root" ? index.operations : index.operationsAt(host.node);
  const style = filter?.text("style");
  if (filter !== undefined && isFilterStyle(style) && filterStyles[style].parameter !== undefined) {
    const name = filter.text("parameter") ?? filterStyles[style].parameter ?? "";
    if (!operations.some((each) => hasFilter(each, name, style)))
      yield {
        code: "lists/parameter",
        at: filter.has("parameter") ? filter.at(["parameter"]) : filter.at(["style"]),
        message: `No list has the parameter "${name}" of the filter, ${
          style === "json" ? "with JSON in a header or in the query" : "in the query, in the style deepObject"
        }.`,
        fix: 'Declare it in the lists that have the filter, or write its name as "parameter".',
      };
  }
  if (order === undefined || order.has("by") || order.has("direction")) return;
  const name = order.text("parameter") ?? orderStyle.parameter;
  if (operations.some((each) => findParameter(each, "query", name))) return;
  yield {
    code: "lists/parameter",
    at: order.has("parameter") ? order.at(["parameter"]) : order,
    message: `No list has the query parameter "${name}" of the order.`,
    fix: 'Declare it in the lists that can be ordered, or write its name as "parameter".',
  };
}

function hasFilter(operation: LintOperation, name: string, style: FilterSyntax["style"]): boolean {
  const parameters = ["query", "header"].map((place) => findParameter(operation, place, name));
  return style === "brackets"
    ? parameters[0]?.text("style") === "deepObject"
    : parameters.some((each) => each?.has("content") === true);
}

/** The operators that `x-filterable` lists, where the parameter of the field accepts no text with an operator before the value. */
function* prefixFindings(index: SpecIndex, { host, node }: Extension): Iterable<LintFinding<Code>> {
  for (const operation of host.type === "Root" ? index.operations : index.operationsAt(host.node)) {
    const items = node.get("pages")?.get("envelope")?.text("items");
    const start = items === undefined || !hasField(successSchemas(operation), [items]) ? ["*"] : [items, "*"];
    for (const parameter of operation.parameters) {
      const name = parameter.text("name") ?? "";
      const { schemas } = resolveFields(successSchemas(operation), [...start, name]);
      const operator = schemas.flatMap((each) => each.read("x-filterable")?.get("operators")?.items() ?? [])[0]?.value;
      const types = [parameter.get("schema")?.get("items") ?? parameter.get("schema")].map(
        (each) => each?.object["type"],
      );
      if (typeof operator !== "string" || parameter.text("in") !== "query" || types.flat().includes("string")) continue;
      yield {
        code: "lists/operator",
        at: parameter,
        message: `The parameter "${name}" accepts no text, so no request can write "${operator}" before its value.`,
        fix: 'Let its schema accept a string, or remove "operators" of the field.',
      };
    }
  }
}

/** The operators that `x-filterable` lists, where no filter of the description has a spelling for them. */
function* operatorFindings(index: SpecIndex): Iterable<LintFinding<Code>> {
  const filters = index.byField("x-lists").flatMap(({ node }) => node.get("filter") ?? []);
  if (!filters.some((each) => isFilterStyle(each.text("style")))) return;
  const spelled = new Set(filters.flatMap((filter) => spelledOperators(filter)));
  for (const { node } of index.byField("x-filterable")) {
    for (const [position, each] of (node.get("operators")?.items() ?? []).entries()) {
      const operator = filterOperators.find((name) => name === each.value);
      if (operator === undefined || spelled.has(operator)) continue;
      yield {
        code: "lists/operator",
        at: node.at(["operators", String(position)]),
        message: `No filter of x-lists has a spelling of "${operator}".`,
        fix: `Add it to "operators" of the filter, or remove it here. The filter has ${[...spelled].join(", ")}.`,
      };
    }
  }
}

function spelledOperators(filter: LintNode): readonly string[] {
  const operators = filter.get("operators")?.value;
  return isJsonObject(operators) ? Object.keys(operators) : filterOperators;
}
