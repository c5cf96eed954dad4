import { looksLikeExpression, parseExpressionSyntax, type ExpressionSyntax } from "../expression.js";
import {
  bodySchemas,
  resolveFields,
  fieldNamesIn,
  hasField,
  findParameter,
  referencedResource,
  successSchemas,
} from "../fields.js";
import { didYouMean } from "../../read/did-you-mean.js";
import { findApplicability, type Applicability } from "../applicability.js";
import type { LintRule } from "../rule.js";
import type { LintNode } from "../lint-node.js";
import { schemasOfHolder, type SpecIndex } from "../spec-index.js";

/** Expressions are well-formed and refer to existing parameters and fields. */
export const expressionsRule: LintRule<"expressions/syntax" | "expressions/unknown"> = {
  codes: {
    "expressions/syntax": ["error", "off", "A text is not a valid expression."],
    "expressions/unknown": ["error", "off", "An expression refers to an unknown parameter or field."],
  },
  *check(index) {
    for (const { extension, kind, path, at, value } of index.usesOf("expression", "subject")) {
      if (kind === "subject" && !(typeof value === "string" && value.startsWith("$"))) continue; // a literal
      if (typeof value === "string" && isOperand(path) && !looksLikeExpression(value)) continue;
      const expression = typeof value === "string" ? parseExpressionSyntax(value) : undefined;
      if (expression === undefined) {
        const message = `${JSON.stringify(value)} is not a valid expression.`;
        const fix =
          "Write one such as $request.path.NAME, $request.body#/field, $target#/field, $caller.scopes or 1/field.";
        yield { code: "expressions/syntax", at, message, fix };
        continue;
      }
      const unresolved = findUnresolved(index, findApplicability(index, extension, path), expression);
      if (unresolved !== undefined) yield { code: "expressions/unknown", at, ...unresolved };
    }
  },
};

/** True for the right side of a comparison, which may be a literal. */
function isOperand(path: readonly string[]): boolean {
  return path.at(-1) === "2" && path.at(-2) === "compare";
}

interface UnresolvedExpression {
  readonly message: string;
  readonly fix: string;
}

function findUnresolved(
  index: SpecIndex,
  reach: Applicability,
  expression: ExpressionSyntax,
): UnresolvedExpression | undefined {
  const { operations } = reach;
  switch (expression.root) {
    case "path":
    case "query":
    case "header": {
      const { root, name } = expression;
      if (operations.length === 0 || operations.some((each) => findParameter(each, root, name))) return undefined;
      const names = operations
        .flatMap((each) => each.parameters)
        .filter((each) => each.text("in") === root)
        .flatMap((each) => each.text("name") ?? []);
      const who =
        operations.length > 1
          ? "No operation that uses this has a"
          : `${operations[0]?.name ?? "The operation"} has no`;
      return { message: `${who} ${root} parameter "${name}".`, fix: didYouMean(name, names, "parameters") };
    }
    case "body":
      return operations.length === 0
        ? undefined
        : findMissingField(operations.flatMap(bodySchemas), expression.pointer, "The request body");
    case "response":
      return operations.length === 0
        ? undefined
        : findMissingField(operations.flatMap(successSchemas), expression.pointer, "The response");
    case "target":
      return reach.targets.length === 0 ? undefined : findMissingField(reach.targets, expression.pointer, "The target");
    case "refs": {
      if (operations.length === 0) return undefined;
      const named = operations.flatMap((each) => [
        ...resolveFields(bodySchemas(each), expression.name.split(".")).schemas,
        ...byParameter(each.parameters, expression.name),
      ]);
      const resource = referencedResource(index, named);
      if (resource) return findMissingField([resource], expression.pointer, `The resource of "${expression.name}"`);
      return {
        message: `"${expression.name}" is not a field with an x-reference.`,
        fix: "Name a field of the body that has one.",
      };
    }
    case "relative": {
      const { up, pointer } = expression;
      const bases = reach.contexts.flatMap((each) => (up === 0 ? [each.self] : each.enclosing.slice(up - 1, up)));
      return reach.contexts.length === 0 ? undefined : findMissingField(bases, pointer, `What is ${up} up from here`);
    }
    case "caller":
      return undefined; // the server's `authenticate` determines the caller
  }
}

function byParameter(parameters: readonly LintNode[], name: string): readonly LintNode[] {
  return parameters.flatMap((each) => (each.text("name") === name ? [each, ...schemasOfHolder(each)] : []));
}

function findMissingField(
  schemas: readonly LintNode[],
  pointer: readonly string[],
  subject: string,
): UnresolvedExpression | undefined {
  if (schemas.length === 0) return { message: `${subject} is not there.`, fix: "Correct the expression." };
  if (hasField(schemas, pointer)) return undefined;
  const known = pointer.findIndex((_, index) => !hasField(schemas, pointer.slice(0, index + 1)));
  const field = pointer[known] ?? "";
  const names = fieldNamesIn(resolveFields(schemas, pointer.slice(0, known)).schemas);
  return {
    message: `${subject} has no field "${pointer.slice(0, known + 1).join("/")}".`,
    fix: didYouMean(field, names, "fields"),
  };
}
