import type { Api, SecurityScheme } from "../../model/index.js";
import { emitOperationTable } from "../conditions/index.js";
import { code, importType, jsonLiteral, type Code } from "../printer.js";
import { validatorRuntime } from "./runtime.js";

/** The module of the runtime that checks credentials. */
export const securityRuntime: string = `${validatorRuntime}/security`;

/** Emits the security schemes, and what every operation requires: a validator and a server read the same tables. */
export function emitSecurityTables({ securitySchemes, operations, operationsWithoutPath }: Api): readonly Code[] {
  return [
    emitOperationTable(
      "securitySchemes",
      { about: "The security schemes.", type: importType("SecurityScheme", securityRuntime) },
      securitySchemes.map((scheme) => [scheme.name, jsonLiteral(securitySchemeData(scheme))] as const),
    ),
    emitOperationTable(
      "security",
      {
        about: "Security requirements, one of which has to be met. Operations without any are public.",
        type: code`readonly ${importType("SecurityRequirement", securityRuntime)}[]`,
      },
      [...operations, ...operationsWithoutPath].map((each) => [each.name, jsonLiteral(each.security)] as const),
    ),
  ];
}

/** What a runtime has to know of a security scheme. */
function securitySchemeData(scheme: SecurityScheme): Readonly<Record<string, string>> {
  if (scheme.kind === "apiKey") return { kind: scheme.kind, in: scheme.in, key: scheme.key };
  return scheme.kind === "http" ? { kind: scheme.kind, scheme: scheme.scheme } : { kind: scheme.kind };
}
