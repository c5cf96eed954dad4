import {
  code,
  docComment,
  importType,
  importValue,
  joinCode,
  printSourceFile,
  propertyKey,
  type Code,
  type TextFile,
} from "@plumbline/kit/codegen";
import { emitSecurityTables, securityRuntime } from "@plumbline/kit/codegen/validation";
import type { Api, SecurityScheme } from "@plumbline/kit/model";

/** The schemes that operations of the API require. */
export function requiredSchemes({ operations, securitySchemes }: Api): readonly SecurityScheme[] {
  const names = new Set(operations.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)));
  return securitySchemes.filter(({ name }) => names.has(name));
}

/** Emits `security.ts`: what operations require, and the handlers that check it. */
export function emitValidatorSecurity(api: Api): TextFile {
  const schemes = requiredSchemes(api);
  const statements = [...emitSecurityTables(api), ...(schemes.length === 0 ? [] : emitHandlers(schemes))];
  return { path: "src/gen/security.ts", text: printSourceFile(statements) };
}

function emitHandlers(schemes: readonly SecurityScheme[]): readonly Code[] {
  const handler = importType("SecurityHandler", securityRuntime);
  const members = schemes.map(
    (scheme) =>
      code`${docComment((scheme.description ?? "").split("\n"))}\nreadonly ${propertyKey(scheme.name)}: ${handler}<Request, ${credentialType(scheme)}>;`,
  );
  return [
    code`/** Handlers that check credentials. Each returns whether the credential is valid, or \`"forbidden"\` if it lacks a scope. */
export type SecurityHandlers<Request> = {\n${joinCode(members, code`\n`)}\n};`,
    code`${docComment(["Checks the credentials of a request."])}
export const securityCheck: ${importType("SecurityCheck", securityRuntime)} = /* @__PURE__ */ ${importValue("createSecurityCheck", securityRuntime)}({
  schemes: securitySchemes,
  requirements: security,
});`,
  ];
}

/** The query parameters that are credentials. */
export function queryCredentials(api: Api): readonly string[] {
  return api.securitySchemes.flatMap((scheme) =>
    scheme.kind === "apiKey" && scheme.in === "query" ? [scheme.key] : [],
  );
}

function credentialType({ kind }: SecurityScheme): Code {
  if (kind === "basic") return importType("BasicCredentials", securityRuntime);
  return kind === "mutualTLS" ? code`undefined` : code`string`;
}
