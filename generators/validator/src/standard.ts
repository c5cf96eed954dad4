import {
  type ArtifactOptions,
  type Code,
  code,
  docComment,
  generatedBanner,
  identifier,
  importType,
  importValue,
  printSourceFile,
  type TextFile,
} from "@plumbline/codegen";
import {
  type CustomChecks,
  HoistedConstants,
  inputTypeName,
  isSchemaFunction,
  NamedChecks,
  operationSchemasName,
  schemaConstantName,
  validatorRuntime,
} from "@plumbline/codegen/validation";
import type { Api } from "@plumbline/model";

const runtime = `${validatorRuntime}/standard`;

/**
 * Emits `standard.ts`: the input of every operation, and every named schema, as Standard Schemas. Checks that `checks.ts` lacks are in
 * `standard-checks.ts`.
 *
 * @param settings.checks the text of `checks.ts`
 * @param settings.custom the custom formats and keywords
 */
export function emitStandardSchemas(
  api: Api,
  options: ArtifactOptions,
  { checks, custom }: { readonly checks: string; readonly custom: CustomChecks | undefined },
): readonly TextFile[] {
  const existing = [...checks.matchAll(/^export function (check\w+)/gm)].flatMap(([, name]) => name ?? []);
  const functions = new NamedChecks(api, { external: new Set(existing), file: "./checks.js", custom });
  const own = [
    ...api.schemas.map(({ name }) => schemaConstantName(name)),
    ...api.operations.map(({ name }) => `${name}Input`),
  ];
  const pool = new HoistedConstants(own, options.locate, (name) => isSchemaFunction(api, name));
  const named = api.schemas.map(
    ({ name }) => code`${docComment([`Standard Schema of \`${name}\`.`])}
export const ${identifier(schemaConstantName(name))}: ${schemaType(importType(name, "./types.js"))} = /* @__PURE__ */ ${importValue("standardSchema", runtime)}(${functions.refer(name, "validated", "./standard-checks.js")}, ${importValue(schemaConstantName(name), "./schemas.js")});`,
  );
  const inputs = api.operations.map((operation) => {
    const type = importType(inputTypeName(operation), "./operations.js");
    return code`${docComment([`Standard Schema of the input of \`${operation.name}\`: ${operation.method} ${operation.path}`])}
export const ${identifier(`${operation.name}Input`)}: ${importType("StandardInput", runtime)}<${type}> = /* @__PURE__ */ ${importValue("standardInput", runtime)}(${importValue(operation.name, "./operations.js")}, ${importValue(operationSchemasName(operation), "./schemas.js")});`;
  });
  const printed = functions.print(pool);
  return [emitFile("standard-checks", printed, []), emitFile("standard", [...named, ...inputs], own)];
}

function schemaType(type: Code): Code {
  return code`${importType("StandardSchema", runtime)}<${type}>`;
}

function emitFile(name: string, statements: readonly Code[], own: readonly string[]): TextFile {
  const text = printSourceFile(statements, generatedBanner, own);
  return { path: `src/gen/${name}.ts`, text: statements.length === 0 ? `${text}export {};\n` : text };
}
