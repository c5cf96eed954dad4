import { type TextFile, code, jsonLiteral, type Code, type ArtifactOptions } from "@plumbline/kit/codegen";
import {
  CheckFile,
  emitCondition,
  emitExpression,
  emitOperationTable,
  listLiteral,
  objectLiteral,
} from "@plumbline/kit/codegen/conditions";
import type { CompileContext } from "@plumbline/kit/codegen/validation";
import type { Api, Grant } from "@plumbline/kit/model";
import { serverType } from "../runtime.js";

/** Emits `grants.ts`: the grants that restricted users require. */
export function emitGrants(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const file = new CheckFile(api, options, ["grants"]);
  const entries = [...api.operations, ...api.operationsWithoutPath].flatMap(({ name, grants }) =>
    grants.length === 0
      ? []
      : [[name, listLiteral(grants.map((grant) => grantData(grant, file.context, name)))] as const],
  );
  const about = "The grants that a restricted user needs for each operation. All of them are required.";
  return [
    file.print("src/gen/grants.ts", [
      emitOperationTable("grants", { about, type: code`readonly ${serverType("Grant")}[]` }, entries),
    ]),
  ];
}

function grantData(grant: Grant, context: CompileContext, hint: string): Code {
  return objectLiteral({
    kind: jsonLiteral(grant.kind),
    ...(grant.kind === "global" ? { global: jsonLiteral(grant.global) } : {}),
    ...(grant.kind === "entity" ? { on: emitExpression(grant.on), level: jsonLiteral(grant.level) } : {}),
    when:
      grant.when === undefined ? undefined : emitCondition(grant.when, context, `${hint} ${grantedOn(grant)} grant`),
    error: grant.error === undefined ? undefined : jsonLiteral(grant.error),
  });
}

/** Words for what a grant is about, in names. */
function grantedOn(grant: Grant): string {
  if (grant.kind === "entity") return grant.on.pointer.at(-1) ?? grant.on.name ?? grant.kind;
  return grant.kind === "global" ? grant.global : grant.kind;
}
