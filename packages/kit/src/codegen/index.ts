export type * from "../model/index.js";
export { compilerOptions, nodeCompilerOptions } from "./compiler-options.js";
export {
  clientRuntime,
  type ConversionOptions,
  Conversions,
  conversionsOf,
  withConversions,
} from "./conversions/conversions.js";
export { convertedLiteral } from "./conversions/converted-literal.js";
export { type ConvertedScalar, type ConverterNode } from "./conversions/converter-node.js";
export {
  bodyConverterCode,
  converterCode,
  emitConverters,
  hasBigIntegers,
  mayBeScalar,
} from "./conversions/converters.js";
export { escapeProse, toSingleLine } from "./escape-prose.js";
export { type ExampleOperation, firstRead, isCreation } from "./example-operations.js";
export {
  printManagedJson,
  type EditedFile,
  type GeneratedFile,
  type GeneratedPackage,
  type ManagedJsonFile,
  type TextFile,
} from "./files.js";
export { formatFile } from "./format-file.js";
export {
  type ArtifactOptions,
  type ArtifactOutput,
  defineGenerator,
  type Generator,
  type GenerateFilesOptions,
  type GeneratorOptions,
  type ReadOptions,
} from "./generator.js";
export { findOptionIssue, type OptionSchema, type OptionTable, type OptionValues } from "./option-table.js";
export { emitPackageFiles, type PackageContents } from "./package-files.js";
export {
  code,
  type Code,
  docComment,
  identifier,
  importType,
  importValue,
  isIdentifier,
  joinCode,
  jsonLiteral,
  printSourceFile,
  propertyKey,
  renderCode,
} from "./printer.js";
export { runtimeVersionRange } from "./runtime-version.js";
export { groupByOperationFile, groupByTagFile, operationFileName, tagFileName } from "./tag-files.js";
export { precompiledFileOf, precompileTemplate, readTemplate, renderTemplate } from "./template.js";
export { isBinary } from "./types/bytes.js";
export { emitReceivedTypes, emitSchemaTypes } from "./types/declarations.js";
export { deprecationTag } from "./types/deprecation.js";
export { describeSchema } from "./types/describe.js";
export { TypePrinter } from "./types/print.js";
export { describeUncheckedPatterns, printUncheckedPatterns } from "./unchecked-patterns.js";
