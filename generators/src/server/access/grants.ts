import { type TextFile, code, docComment, jsonLiteral, type Code, type ArtifactOptions } from "@plumbline/kit/codegen";
import {
  CheckFile,
  emitCondition,
  emitExpression,
  emitOperationTable,
  listLiteral,
  objectLiteral,
} from "@plumbline/kit/codegen/conditions";
import type { CompileContext } from "@plumbline/kit/codegen/validation";
import { type Api, callersOf, type Grant, pickDefined } from "@plumbline/kit/model";
import { serverType } from "../runtime.js";

/** Emits `grants.ts`: the grants that callers need, and what the description states about callers. */
export function emitGrants(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const file = new CheckFile(api, options, ["grants"]);
  const entries = [...api.operations, ...api.operationsWithoutPath].flatMap(({ name, grants }) =>
    grants.length === 0
      ? []
      : [[name, listLiteral(grants.map((grant) => grantData(grant, file.context, name)))] as const],
  );
  const about = "The grants that a caller needs for each operation. All of them are required.";
  return [
    file.print("src/gen/grants.ts", [
      ...emitCallerRules(api),
      emitOperationTable("grants", { about, type: code`readonly ${serverType("Grant")}[]` }, entries),
    ]),
  ];
}

function grantData(grant: Grant, context: CompileContext, hint: string): Code {
  return objectLiteral({
    kind: jsonLiteral(grant.kind),
    ...(grant.kind === "named" ? { name: jsonLiteral(grant.name) } : {}),
    ...(grant.kind === "caller" ? { caller: jsonLiteral(grant.caller) } : {}),
    ...(grant.kind === "entity" ? { on: emitExpression(grant.on), level: jsonLiteral(grant.level) } : {}),
    when:
      grant.when === undefined ? undefined : emitCondition(grant.when, context, `${hint} ${grantedOn(grant)} grant`),
    error: grant.error === undefined ? undefined : jsonLiteral(grant.error),
  });
}

/** Words for what a grant is about, in names. */
function grantedOn(grant: Grant): string {
  if (grant.kind === "entity") return grant.on.pointer.at(-1) ?? grant.on.name ?? grant.kind;
  return grant.kind === "named" ? grant.name : Object.keys(grant.caller).join(" ");
}

/** Prints the rules of callers, if the description has any. */
function emitCallerRules(api: Api): readonly Code[] {
  if (!hasCallerRules(api)) return [];
  const { needNoGrants, namedGrants } = callersOf(api);
  return [
    code`${docComment(["Which callers need no grant, and where the grants of a user have names."])}
export const callers: ${serverType("CallerRules")} = ${jsonLiteral({ ...pickDefined("needNoGrants", needNoGrants), namedGrants })};`,
  ];
}

/** True if the description states something about callers, or grants have names. */
export function hasCallerRules(api: Api): boolean {
  const operations = [...api.operations, ...api.operationsWithoutPath];
  return api.callers !== undefined || operations.some(({ grants }) => grants.some(({ kind }) => kind === "named"));
}
