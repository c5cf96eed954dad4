import {
  defineGenerator,
  emitConverters,
  emitReceivedTypes,
  type Generator,
  withConversions,
} from "@plumbline/kit/codegen";
import { emitOperationValidators, emitSchemas, findSlashWarnings } from "@plumbline/kit/codegen/validation";
import { emitValidatorAdapters } from "./adapters.js";
import { emitAjvValidator } from "./ajv.js";
import {
  type CustomNames,
  emitCustomChecks,
  findCustomNames,
  findFormatIssue,
  findFormatWarnings,
  toCompiledChecks,
} from "./custom-checks.js";
import { emitValidatorPackage } from "./package.js";
import { emitValidatorSecurity } from "./security.js";
import { emitStandardSchemas } from "./standard.js";

const options = {
  schemas: {
    type: "boolean",
    default: false,
    description: "Also exports PACKAGE/schemas: the JSON Schemas of all operations and named schemas, as data",
  },
  ajv: {
    type: "boolean",
    default: false,
    description: "Also exports PACKAGE/ajv: the validator on your own Ajv instance. Implies `schemas`",
  },
  standard: {
    type: "boolean",
    default: false,
    description: "Also exports PACKAGE/standard: Standard Schemas of all inputs and named schemas. Implies `schemas`",
  },
  formats: {
    type: "array",
    items: { type: "string" },
    default: [],
    description: "Formats that functions of the validator's users check. They replace the checks of known formats",
  },
  dates: {
    type: "string",
    enum: ["string", "Date"],
    default: "string",
    description:
      "The type of the format date-time in the input. The validator converts what is valid. Excludes `standard`",
  },
} as const;

/** What other generators need of a validator. */
export interface ValidatorData {
  /** The package, if others can import it. */
  readonly package: string | undefined;
  /** Custom formats and keywords. Undefined if there are none. */
  readonly custom: CustomNames | undefined;
  /** Whether it converts dates. Handlers of servers receive them as texts, so that no server imports it. */
  readonly isConverting: boolean;
}

/** Generates a request validator. What depends on stored data, such as grants, states and counts, is the server's. */
const validatorGenerator: Generator<typeof options, unknown, ValidatorData> = defineGenerator({
  options,
  files: (model, artifact) => {
    const { ajv, standard, dates } = artifact.config;
    const api = dates === "Date" ? withConversions(model, { dates, integers: undefined, numbers: new Set() }) : model;
    const parts = {
      ajv,
      standard,
      schemas: artifact.config.schemas || ajv || standard,
      isConverting: dates === "Date",
    };
    const names = findCustomNames(api, artifact.config.formats);
    return [
      ...emitReceivedTypes(api),
      ...emitConverters(api),
      ...emitOperationValidators(api, artifact, {
        custom: toCompiledChecks(names),
        isStandard: standard,
      }),
      ...emitValidatorAdapters(api, names),
      emitValidatorSecurity(api),
      ...(names === undefined ? [] : [emitCustomChecks(names)]),
      ...(parts.schemas ? [emitSchemas(api, api.operations)] : []),
      ...(ajv ? [emitAjvValidator(api, names)] : []),
      ...(standard ? [emitStandardSchemas(api)] : []),
      ...emitValidatorPackage(api, artifact, { ...parts, custom: names }),
    ];
  },
  findOptionIssues: (api, { formats, dates, standard }) => {
    const issue = findFormatIssue(api, formats);
    return {
      ...(issue === undefined ? {} : { formats: issue }),
      ...(dates === "Date" && standard
        ? { dates: "converts nothing in Standard Schemas: remove it, or set `standard: false`" }
        : {}),
    };
  },
  warnings: (api, artifact) => [...findSlashWarnings(api, artifact), ...findFormatWarnings(api, artifact)],
  data: (api, { package: name, isImportable, config }) => ({
    package: isImportable === true ? name : undefined,
    custom: findCustomNames(api, config.formats),
    isConverting: config.dates === "Date",
  }),
});

export default validatorGenerator;
