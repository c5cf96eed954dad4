import {
  type Code,
  code,
  docComment,
  identifier,
  importType,
  importValue,
  jsonLiteral,
  printSourceFile,
  type TextFile,
  TypePrinter,
} from "@plumbline/kit/codegen";
import {
  filledBodyFields,
  inputTypeName,
  NamedChecks,
  operationSchemasName,
  printSentParts,
  schemaConstantName,
  validatorRuntime,
} from "@plumbline/kit/codegen/validation";
import { type Api, schemasByName } from "@plumbline/kit/model";

const runtime = `${validatorRuntime}/standard`;

/** Emits `standard.ts`: the input of every operation, and every named schema, as Standard Schemas. */
export function emitStandardSchemas(api: Api): TextFile {
  const checks = new NamedChecks(api);
  const printer = new TypePrinter(api, "File");
  const reservedNames = [
    ...api.schemas.map(({ name }) => schemaConstantName(name)),
    ...api.operations.map(({ name }) => `${name}Input`),
  ];
  const schemas = api.schemas.map(
    ({ name }) => code`${docComment([`Standard Schema of \`${name}\`.`])}
export const ${identifier(schemaConstantName(name))}: ${schemaType(importType(name, "./types.js"))} = /* @__PURE__ */ ${importValue("standardSchema", runtime)}(${checks.refer(name, "validated", "./checks.js")}, ${importValue(schemaConstantName(name), "./schemas.js")});`,
  );
  const inputs = api.operations.map((operation) => {
    const input = importType(inputTypeName(operation), "./operations.js");
    const sentParts = printSentParts(operation, input, {
      printer,
      schemas: schemasByName(api),
      bytes: "whole",
      from: "./types.js",
    });
    const types = sentParts === undefined ? input : code`${input}, ${sentParts}`;
    const filled = filledBodyFields(operation, schemasByName(api));
    return code`${docComment([`Standard Schema of the input of \`${operation.name}\`: ${operation.method} ${operation.path}`])}
export const ${identifier(`${operation.name}Input`)}: ${importType("StandardInput", runtime)}<${types}> = /* @__PURE__ */ ${importValue("standardInput", runtime)}(${importValue(operation.name, "./operations.js")}, ${importValue(operationSchemasName(operation), "./schemas.js")}${filled.length === 0 ? code`` : code`, ${jsonLiteral([...filled])}`});`;
  });
  const options = code`export { type StandardOptions, withOptions } from ${jsonLiteral(runtime)};`;
  return { path: "src/gen/standard.ts", text: printSourceFile([...schemas, ...inputs, options], reservedNames) };
}

function schemaType(type: Code): Code {
  return code`${importType("StandardSchema", runtime)}<${type}>`;
}
