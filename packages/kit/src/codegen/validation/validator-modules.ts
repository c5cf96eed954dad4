/** A name for each module of a validator that other code imports. */
export interface ValidatorModules {
  readonly types: string;
  readonly checks: string;
  /** Each operation by its name, and the types of inputs. */
  readonly operations: string;
  /** The list of all operations. */
  readonly table: string;
  readonly responses: string;
  /** The security schemes, and what operations require. */
  readonly security: string;
  /** The types and names of custom formats and keywords. */
  readonly customChecks: string;
}

/** Their files in `src/gen` of a validator, which are entry points of its package. */
export const validatorModuleNames: ValidatorModules = {
  types: "types",
  checks: "checks",
  operations: "operations",
  table: "operations-table",
  responses: "responses",
  security: "security",
  customChecks: "custom-checks",
};

/**
 * Returns how code imports the modules of a validator.
 *
 * @param packageName - The package of the validator. Default: the files are in the folder `validator` beside that code.
 */
export function validatorModules(packageName: string | undefined): ValidatorModules {
  const specifier = (name: string): string =>
    packageName === undefined ? `./validator/${name}.js` : `${packageName}/${name}`;
  const { types, checks, operations, table, responses, security, customChecks } = validatorModuleNames;
  return {
    types: specifier(types),
    checks: specifier(checks),
    operations: specifier(operations),
    table: specifier(table),
    responses: specifier(responses),
    security: specifier(security),
    customChecks: specifier(customChecks),
  };
}

/** What the generator of validators reports to those of servers and mocks about its package, which they do not import. */
export interface ValidatorData {
  /** Undefined for files that no package has. */
  readonly package: string | undefined;
  readonly custom: { readonly formats: readonly string[]; readonly keywords: readonly string[] } | undefined;
  /** Whether it converts dates. Handlers of servers receive them as texts, so that no server imports it. */
  readonly isConverting: boolean;
}

/** Returns the options that have the functions of custom formats and keywords. */
export function customOptionNames({ package: name, custom }: ValidatorData): readonly ("formats" | "keywords")[] {
  if (name === undefined || custom === undefined) return [];
  return (["formats", "keywords"] as const).filter((option) => custom[option].length > 0);
}
