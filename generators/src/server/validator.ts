import {
  type ArtifactOptions,
  code,
  emitReceivedTypes,
  type GeneratorOptions,
  jsonLiteral,
  printSourceFile,
  type TextFile,
} from "@plumbline/kit/codegen";
import {
  type CustomChecks,
  responseHeadersFile,
  customOptionNames,
  emitOperationValidators,
  emitSecurityTables,
  type ValidatorData,
  validatorModules,
  type ValidatorModules,
} from "@plumbline/kit/codegen/validation";
import { type Api, DiagnosticsError } from "@plumbline/kit/model";

/** The validator that a server imports. */
export interface ImportedValidator {
  /** Its package. Undefined if the server carries its files. */
  readonly package: string | undefined;
  readonly modules: ValidatorModules;
  /** The custom formats and keywords that it checks. */
  readonly custom: CustomChecks | undefined;
  /** The options of the server with functions for custom formats and keywords. */
  readonly customOptions: readonly string[];
}

/** What a server has without a validator beside it. */
export const carriedValidator: ImportedValidator = {
  package: undefined,
  modules: validatorModules(undefined),
  custom: undefined,
  customOptions: [],
};

/**
 * Returns the validator beside this server in plumbline.yaml, or the one that it carries in `gen/validator/`.
 *
 * @throws DiagnosticsError for a validator that has both dates and custom formats or keywords.
 */
export function readValidator({ artifacts }: Pick<GeneratorOptions, "artifacts">): ImportedValidator {
  const beside = artifacts["validator"] as ValidatorData | undefined;
  if (beside?.isConverting === true && beside.custom !== undefined)
    throw new DiagnosticsError([
      {
        code: "config/value",
        severity: "error",
        origin: { file: "plumbline.yaml", pointer: "", line: 1, column: 1 },
        message:
          "The server imports custom formats and keywords from the validator beside it, but its handlers receive dates as texts.",
        fix: "Remove `dates` of the validator, or one of the two artifacts.",
      },
    ]);
  if (beside?.package === undefined || beside.isConverting) return carriedValidator;
  const { package: name, custom } = beside;
  return {
    package: name,
    modules: validatorModules(name),
    custom: custom && { formats: new Set(custom.formats) },
    customOptions: customOptionNames(beside),
  };
}

/** Emits the files of the validator into `gen/validator/`. They import each other there as they do in a package. */
export function emitCarriedValidator(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const security = { path: "src/gen/security.ts", text: printSourceFile(emitSecurityTables(api)) };
  return [...emitReceivedTypes(api), ...emitOperationValidators(api, options), security]
    .filter(({ path }) => path !== responseHeadersFile)
    .map(({ path, ...file }) => ({ ...file, path: path.replace("src/gen/", "src/gen/validator/") }));
}

/** Emits `types.ts`, from which the other files import the types of named schemas. */
export function emitTypes({ modules }: ImportedValidator): TextFile {
  return {
    path: "src/gen/types.ts",
    text: printSourceFile([code`export type * from ${jsonLiteral(modules.types)};`]),
  };
}
