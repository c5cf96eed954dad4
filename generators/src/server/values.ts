import { type TextFile, code, jsonLiteral, type Code, type ArtifactOptions } from "@plumbline/kit/codegen";
import {
  CheckFile,
  emitCondition,
  emitOperationTable,
  emitValueSource,
  listLiteral,
  objectLiteral,
} from "@plumbline/kit/codegen/conditions";
import { checkFunction, type CompileContext, appliesDefaults, isRequestOnly } from "@plumbline/kit/codegen/validation";
import { type Api, type Operation, type ValueRule, collectFields, findJsonContent } from "@plumbline/kit/model";
import { serverType } from "./runtime.js";

/** Emits `values.ts`: values that depend on stored data or the caller. Values that depend on the body alone are set during validation. */
export function emitStoredValueRules(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const file = new CheckFile(api, options, ["storedValueRules"]);
  const entries = api.operations.flatMap((operation) => {
    const fields = fieldsWithValues(api, operation, file.context);
    return fields.length === 0 ? [] : [[operation.name, listLiteral(fields)] as const];
  });
  const about = "Body fields whose value depends on stored data or on the caller.";
  return [
    file.print("src/gen/values.ts", [
      emitOperationTable("storedValueRules", { about, type: code`readonly ${serverType("FieldValues")}[]` }, entries),
    ]),
  ];
}

function fieldsWithValues(api: Api, operation: Operation, context: CompileContext): readonly Code[] {
  const content = operation.requestBody === undefined ? undefined : findJsonContent(operation.requestBody.contents);
  if (content === undefined) return [];
  const isMade = appliesDefaults(operation);
  return collectFields(api, content.schema).flatMap(({ pointer, schema }) => {
    const rules = (schema.valueRules ?? []).filter(({ absent }) => isMade || absent === undefined);
    if (rules.every((rule) => isRequestOnly(rule, pointer.length > 1))) return [];
    const hint = `${operation.name} ${pointer.at(-1) ?? ""}`;
    return [
      objectLiteral({
        pointer: jsonLiteral(pointer),
        rules: listLiteral(rules.map((rule) => valueRuleData(rule, context, hint))),
      }),
    ];
  });
}

function valueRuleData(
  { absent, matches, when, set, round, to, escape }: ValueRule,
  context: CompileContext,
  hint: string,
): Code {
  return objectLiteral({
    absent: absent && jsonLiteral(true),
    matches: matches && checkFunction(context, matches, `${hint} sent`),
    when: when && emitCondition(when, context, hint),
    set: set && emitValueSource(set),
    round: round && jsonLiteral(round),
    to: to && jsonLiteral(to),
    escape: escape && jsonLiteral(escape),
  });
}
