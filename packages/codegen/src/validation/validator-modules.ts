/** A name for each module of a validator that other code imports. */
export interface ValidatorModules {
  readonly types: string;
  readonly checks: string;
  /** Each operation by its name, and the types of inputs. */
  readonly operations: string;
  /** The list of all operations. */
  readonly table: string;
  readonly responses: string;
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
  const { types, checks, operations, table, responses, customChecks } = validatorModuleNames;
  return {
    types: specifier(types),
    checks: specifier(checks),
    operations: specifier(operations),
    table: specifier(table),
    responses: specifier(responses),
    customChecks: specifier(customChecks),
  };
}
