import { type TextFile, code, importValue, jsonLiteral, type Code, type ArtifactOptions } from "@plumbline/kit/codegen";
import { CheckFile, emitOperationTable, listLiteral, objectLiteral } from "@plumbline/kit/codegen/conditions";
import { checkFunctionName, validatorType } from "@plumbline/kit/codegen/validation";
import { type Api, type Operation, collectFields, findJsonContent } from "@plumbline/kit/model";
import { serverType } from "./runtime.js";
import type { ImportedValidator } from "./validator.js";

/** Emits `mutability.ts`: the fields with restricted mutability, and the schemas of changed objects. */
export function emitMutability(
  api: Api,
  options: ArtifactOptions,
  { modules, custom }: Pick<ImportedValidator, "modules" | "custom">,
): readonly TextFile[] {
  const file = new CheckFile(api, options, ["mutability", "mergedSchemas"]);
  const changing = api.operations.filter(isChange);
  const changes = changing.flatMap((operation) => {
    const fields = mutableFields(api, operation);
    return fields.length === 0 ? [] : [[operation.name, listLiteral(fields)] as const];
  });
  // Custom formats and keywords are only bound to operations: a check of the validator would call them here.
  const check = (schema: string): Code =>
    custom === undefined
      ? importValue(checkFunctionName(schema, "validated"), modules.checks)
      : file.context.refer(schema, "validated");
  const merged = changing.flatMap(({ name, requestBody }) => {
    const whole = requestBody?.input.merged;
    // The linter reports a name that no schema has, where the ruleset is strict.
    return whole === undefined || file.context.schemas.get(whole) === undefined ? [] : [[name, check(whole)] as const];
  });
  return [
    file.print("src/gen/mutability.ts", [
      emitOperationTable(
        "mutability",
        { about: "Fields with restricted changes.", type: code`readonly ${serverType("MutabilityRule")}[]` },
        changes,
      ),
      emitOperationTable(
        "mergedSchemas",
        { about: "The check of the stored object with the changes applied.", type: validatorType("Check") },
        merged,
      ),
    ]),
  ];
}

/** Returns the orders of values, each with the operation that lists the values. */
export function valueOrders(
  api: Api,
): readonly { readonly operation: string; readonly resource: string | undefined }[] {
  const orders = api.operations.filter(isChange).flatMap((operation) => {
    const content = operation.requestBody === undefined ? undefined : findJsonContent(operation.requestBody.contents);
    const fields = content === undefined ? [] : collectFields(api, content.schema);
    return fields.flatMap(({ property }) => property?.mutability?.order ?? []);
  });
  return [...new Set(orders)].map((operation) => ({
    operation,
    resource: api.resources.find(({ list: listing }) => listing === operation)?.name,
  }));
}

function isChange({ method }: Operation): boolean {
  return method === "PUT" || method === "PATCH";
}

function mutableFields(api: Api, operation: Operation): readonly Code[] {
  const content = operation.requestBody === undefined ? undefined : findJsonContent(operation.requestBody.contents);
  if (content === undefined) return [];
  return collectFields(api, content.schema).flatMap(({ pointer, property }) => {
    const change = property?.mutability;
    if (change === undefined || (change.rule === "immutable" && change.error === undefined)) return [];
    return [
      objectLiteral({
        pointer: jsonLiteral(pointer),
        rule: jsonLiteral(change.rule),
        to: change.to === undefined ? undefined : jsonLiteral(change.to),
        order: change.order === undefined ? undefined : jsonLiteral(change.order),
        error: change.error === undefined ? undefined : jsonLiteral(change.error),
      }),
    ];
  });
}
