import { defineGenerator, printSourceFile, type Generator } from "@plumbline/kit/codegen";
import { emitOpenapiTypes } from "@plumbline/kit/codegen/openapi-types";
import { emitTypesPackage } from "./package.js";

const options = {
  enumValues: { type: "boolean", default: false, description: "Also exports a constant with the values of each enum." },
  readonly: { type: "boolean", default: false, description: "Makes all properties and arrays readonly." },
  dates: {
    type: "string",
    enum: ["string", "Date"],
    default: "string",
    description: "The type of values with the format date-time. Date fits a client that converts them.",
  },
  defaultNonNullable: {
    type: "boolean",
    default: true,
    description: "Makes properties with a default required, but in requests.",
  },
} as const;

/** Generates the types of a description in the shape of openapi-typescript 7, which openapi-fetch and others build on. */
const typesGenerator: Generator<typeof options> = defineGenerator({
  options,
  files: async (api, artifact) => {
    const { enumValues, readonly, dates, defaultNonNullable } = artifact.config;
    const statements = emitOpenapiTypes(await artifact.document(), {
      enumValues,
      readonly,
      dates: dates === "Date" ? "Date" : "string",
      defaultNonNullable,
    });
    return [{ path: "src/gen/paths.ts", text: printSourceFile(statements) }, ...emitTypesPackage(api, artifact)];
  },
});

export default typesGenerator;
