import {
  code,
  docComment,
  importType,
  importValue,
  jsonLiteral,
  joinCode,
  printSourceFile,
  propertyKey,
  type Code,
  type TextFile,
} from "@plumbline/kit/codegen";
import { emitOperationTable, tableMember } from "@plumbline/kit/codegen/conditions";
import { securitySchemeData, validatorRuntime } from "@plumbline/kit/codegen/validation";
import type { Api, SecurityScheme } from "@plumbline/kit/model";

const runtime = `${validatorRuntime}/security`;

/** The schemes that operations of the API require. */
export function requiredSchemes({ operations, securitySchemes }: Api): readonly SecurityScheme[] {
  const names = new Set(operations.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)));
  return securitySchemes.filter(({ name }) => names.has(name));
}

/** Emits `security.ts`: what operations require, and the handlers that check it. Nothing for an API that is public. */
export function emitValidatorSecurity(api: Api): readonly TextFile[] {
  const schemes = requiredSchemes(api);
  if (schemes.length === 0) return [];
  const handler = importType("SecurityHandler", runtime);
  const members = schemes.map(
    (scheme) =>
      code`${docComment((scheme.description ?? "").split("\n"))}\nreadonly ${propertyKey(scheme.name)}: ${handler}<Request, ${credentialType(scheme)}>;`,
  );
  const secured = api.operations.filter(({ security }) => security.length > 0);
  const statements = [
    code`/** Handlers that check credentials. Each returns whether the credential is valid, or \`"forbidden"\` if it lacks a scope. */
export type SecurityHandlers<Request> = {\n${joinCode(members, code`\n`)}\n};`,
    emitOperationTable(
      "requirements",
      {
        about: "Security requirements, one of which has to be met.",
        type: code`readonly ${importType("SecurityRequirement", runtime)}[]`,
      },
      secured.map(({ name, security }) => [name, jsonLiteral(security)] as const),
    ),
    code`${docComment(["Checks the credentials of a request."])}
export const securityCheck: ${importType("SecurityCheck", runtime)} = /* @__PURE__ */ ${importValue("createSecurityCheck", runtime)}({
  schemes: { ${joinCode(
    schemes.map((each) =>
      tableMember(each.name, jsonLiteral(securitySchemeData(each)), importType("SecurityScheme", runtime)),
    ),
    code`, `,
  )} },
  requirements,
});`,
  ];
  return [{ path: "src/gen/security.ts", text: printSourceFile(statements) }];
}

/** The query parameters that are credentials. */
export function queryCredentials(api: Api): readonly string[] {
  return api.securitySchemes.flatMap((scheme) =>
    scheme.kind === "apiKey" && scheme.in === "query" ? [scheme.key] : [],
  );
}

function credentialType({ kind }: SecurityScheme): Code {
  if (kind === "basic") return importType("BasicCredentials", runtime);
  return kind === "mutualTLS" ? code`undefined` : code`string`;
}
