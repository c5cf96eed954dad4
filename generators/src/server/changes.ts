import type { TextFile } from "../emit/files.js";
import { code, literal, type Code } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import type { Api, Operation } from "../model/api.js";
import { fieldsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { CheckFile } from "./check-file.js";
import { $type } from "../judging/runtime.js";
import { $serverType } from "./runtime.js";
import { list, record, table } from "./table.js";

/** Emits `changes.ts`: the fields with restricted mutability, and the schemas of changed objects. */
export function emitChanges(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const file = new CheckFile(api, options, ["changes", "merged"]);
  const changing = api.operations.filter(isChange);
  const changes = changing.flatMap((operation) => {
    const fields = changesOf(api, operation);
    return fields.length === 0 ? [] : [[operation.name, list(fields)] as const];
  });
  const merged = changing.flatMap(({ name, body }) =>
    body?.input.merged === undefined ? [] : [[name, file.around.refer(body.input.merged, "judged")] as const],
  );
  return [
    file.print("src/gen/changes.ts", [
      table(
        "changes",
        { about: "Fields with restricted changes.", type: code`readonly ${$serverType("Change")}[]` },
        changes,
      ),
      table(
        "merged",
        { about: "The check of the stored object with the changes applied.", type: $type("Check") },
        merged,
      ),
    ]),
  ];
}

/** Returns the orders of values, each with the operation that lists the values. */
export function ordersOf(api: Api): readonly { readonly operation: string; readonly shape: string | undefined }[] {
  const orders = api.operations.filter(isChange).flatMap((operation) => {
    const content = operation.body === undefined ? undefined : jsonContent(operation.body.contents);
    const fields = content === undefined ? [] : fieldsOf(api, content.shape);
    return fields.flatMap(({ property }) => property?.change?.order ?? []);
  });
  return [...new Set(orders)].map((operation) => ({
    operation,
    shape: api.resources.find(({ list: listing }) => listing === operation)?.name,
  }));
}

function isChange({ method }: Operation): boolean {
  return method === "PUT" || method === "PATCH";
}

function changesOf(api: Api, operation: Operation): readonly Code[] {
  const content = operation.body === undefined ? undefined : jsonContent(operation.body.contents);
  if (content === undefined) return [];
  return fieldsOf(api, content.shape).flatMap(({ pointer, property }) => {
    const change = property?.change;
    if (change === undefined || (change.rule === "create-only" && change.error === undefined)) return [];
    return [
      record({
        pointer: literal(pointer),
        rule: literal(change.rule),
        to: change.to === undefined ? undefined : literal(change.to),
        order: change.order === undefined ? undefined : literal(change.order),
        error: change.error === undefined ? undefined : literal(change.error),
      }),
    ];
  });
}
