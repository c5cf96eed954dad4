import { defineGenerator, emitConverters, emitSchemaTypes, type Generator } from "@plumbline/kit/codegen";
import { emitClientErrors } from "./errors.js";
import { emitClientLimits } from "./limits.js";
import { emitClientOperations } from "./operations.js";
import { emitClientPackage } from "./package.js";
import { emitClientPaths } from "./paths.js";
import { emitClientQueries } from "./query/query.js";
import { emitClientScopes } from "./scopes.js";
import { emitClientStates } from "./state-waits.js";
import { emitClientSuccesses } from "./successes.js";
import { convertValues } from "./values/convert-values.js";

const options = {
  paths: {
    type: "boolean",
    default: false,
    description: "Also exports PACKAGE/paths: the types of openapi-typescript, whose schemas are the client's types.",
  },
  query: {
    type: "boolean",
    default: false,
    description: "Also exports PACKAGE/query: queries and mutations for TanStack Query and SWR.",
  },
  dates: {
    type: "string",
    enum: ["string", "Date", "Temporal"],
    default: "string",
    description:
      "The type of dates: of the format date-time, and with Temporal also of date. The client converts them.",
  },
  integers: {
    type: "string",
    enum: ["number", "bigint"],
    default: "number",
    description: "The type of integers of the format int64 whose bounds exceed what a number represents exactly.",
  },
} as const;

/** Generates a typed client: types, a function for each operation, pages, waits, limits, scopes and errors. */
const clientGenerator: Generator<typeof options> = defineGenerator({
  options,
  files: async (model, artifact) => {
    const api = convertValues(model, artifact.config);
    return [
      ...emitSchemaTypes(api),
      ...emitConverters(api),
      ...emitClientOperations(api, artifact),
      ...emitClientScopes(api),
      ...emitClientLimits(api),
      ...emitClientStates(api, artifact),
      ...emitClientErrors(api),
      ...emitClientSuccesses(api),
      ...(artifact.config.paths ? emitClientPaths(api, await artifact.document()) : []),
      ...(artifact.config.query ? emitClientQueries(api, artifact) : []),
      ...emitClientPackage(api, artifact, artifact.config),
    ];
  },
});

export default clientGenerator;
