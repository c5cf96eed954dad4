import type { TextFile } from "../emit/files.js";
import { code, literal, type Code } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import type { Around } from "../judging/checks/scope.js";
import type { Api, Grant } from "../model/api.js";
import { CheckFile } from "./check-file.js";
import { emitCondition } from "./conditions.js";
import { emitExpression } from "./expressions.js";
import { $serverType } from "./runtime.js";
import { list, record, table } from "./table.js";

/** Emits `grants.ts`: the grants that restricted users require. */
export function emitGrants(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const file = new CheckFile(api, options, ["grants"]);
  const entries = [...api.operations, ...api.linked].flatMap(({ name, grants }) =>
    grants.length === 0 ? [] : [[name, list(grants.map((grant) => grantData(grant, file.around, name)))] as const],
  );
  const about = "The grants that a restricted user needs for each operation. All of them are required.";
  return [
    file.print("src/gen/grants.ts", [
      table("grants", { about, type: code`readonly ${$serverType("Grant")}[]` }, entries),
    ]),
  ];
}

function grantData(grant: Grant, around: Around, hint: string): Code {
  return record({
    kind: literal(grant.kind),
    ...(grant.kind === "global" ? { global: literal(grant.global) } : {}),
    ...(grant.kind === "entity" ? { on: emitExpression(grant.on), level: literal(grant.level) } : {}),
    when: grant.when === undefined ? undefined : emitCondition(grant.when, around, `${hint} grant`),
    error: grant.error === undefined ? undefined : literal(grant.error),
  });
}
