import type { TextFile } from "../emit/files.js";
import { code, literal, type Code } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import { checkFunction } from "../judging/checks/functions.js";
import type { Around } from "../judging/checks/scope.js";
import { fillsDefaults } from "../judging/inputs.js";
import { isOfRequest } from "../judging/values.js";
import type { Api, Operation, Take, ValueRule } from "../model/api.js";
import { fieldsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { CheckFile } from "./check-file.js";
import { emitCondition } from "./conditions.js";
import { emitExpression } from "./expressions.js";
import { $serverType } from "./runtime.js";
import { list, record, table } from "./table.js";

/** Emits `values.ts`: values that depend on stored data or the caller. Values that depend on the body alone are set during validation. */
export function emitValues(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const file = new CheckFile(api, options, ["values"]);
  const entries = api.operations.flatMap((operation) => {
    const fields = fieldsWithValues(api, operation, file.around);
    return fields.length === 0 ? [] : [[operation.name, list(fields)] as const];
  });
  const about = "Body fields whose value depends on stored data or on the caller.";
  return [
    file.print("src/gen/values.ts", [
      table("values", { about, type: code`readonly ${$serverType("FieldValues")}[]` }, entries),
    ]),
  ];
}

function fieldsWithValues(api: Api, operation: Operation, around: Around): readonly Code[] {
  const content = operation.body === undefined ? undefined : jsonContent(operation.body.contents);
  if (content === undefined) return [];
  const isMade = fillsDefaults(operation);
  return fieldsOf(api, content.shape).flatMap(({ pointer, shape }) => {
    const rules = (shape.values ?? []).filter(({ absent }) => isMade || absent === undefined);
    if (rules.every((rule) => isOfRequest(rule, pointer.length > 1))) return [];
    const hint = `${operation.name} ${pointer.at(-1) ?? ""}`;
    return [record({ pointer: literal(pointer), rules: list(rules.map((rule) => ruleData(rule, around, hint))) })];
  });
}

function ruleData({ absent, sent, when, take, round, to, escape }: ValueRule, around: Around, hint: string): Code {
  return record({
    absent: absent && literal(true),
    sent: sent && checkFunction(around, sent, `${hint} sent`),
    when: when && emitCondition(when, around, hint),
    take: take && takeData(take),
    round: round && literal(round),
    to: to && literal(to),
    escape: escape && literal(escape),
  });
}

function takeData(take: Take): Code {
  if (take.kind !== "from")
    return literal(take.kind === "value" ? { kind: "value", value: take.value } : { kind: take.kind });
  return record({
    kind: literal("from"),
    from: emitExpression(take.from),
    times: take.times === undefined ? undefined : literal(take.times),
    minus: take.minus && emitExpression(take.minus),
  });
}
