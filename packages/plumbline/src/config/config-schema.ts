import type { OptionSchema, OptionTable } from "@plumbline/kit/codegen";
import { endSentence, type Json } from "@plumbline/kit/model";
import { importExtensions, nestedArrayStyles, sourcesKinds } from "./config.js";
import { includeKeys } from "./include.js";
import { keywordNamePattern } from "./keyword-names.js";

type JsonSchema = Readonly<Record<string, Json>>;

export interface ConfigSchemaRequest {
  /** The options of each artifact's generator, by the name of the artifact. */
  readonly artifacts: ReadonlyMap<string, OptionTable | typeof anyOptions>;
  /** The names of the built-in artifacts. A generator cannot have one of these. */
  readonly artifactKinds: readonly string[];
}

/** The options of a generator whose code is not loaded. */
export const anyOptions: unique symbol = Symbol("any options");

/**
 * Creates the JSON Schema of plumbline.yaml, for editors. It rejects some values that the command ignores, such as `private: "yes"`. Draft 7,
 * because most editors do not know later ones.
 */
export function createConfigSchema({ artifacts, artifactKinds }: ConfigSchemaRequest): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "plumbline.yaml",
    description: "The packages that `plumbline generate` writes for each description. Paths are relative to this file.",
    ...objectOf({
      required: ["descriptions"],
      properties: {
        ruleset: {
          description:
            "`minimal`: only problems that prevent generation are errors. `strict`: all rules of the linter apply. Default: `strict`.",
          enum: ["strict", "minimal"],
        },
        generators: {
          description: "Custom generators by name: a path that begins with a dot, or the name of an installed package.",
          type: "object",
          propertyNames: { pattern: "^[a-z][a-z0-9-]*$", not: { enum: artifactKinds } },
          additionalProperties: { type: "string" },
        },
        descriptions: {
          description: "The descriptions, each with its artifacts.",
          type: "array",
          minItems: 1,
          items: descriptionSchema(artifacts),
        },
      },
    }),
  };
}

function descriptionSchema(artifacts: ConfigSchemaRequest["artifacts"]): JsonSchema {
  return objectOf({
    required: ["description"],
    properties: {
      description: { description: "The path of an OpenAPI 3.0 or 3.1 description.", type: "string" },
      overlays: {
        description: "The paths of overlays, applied in this order.",
        type: "array",
        minItems: 1,
        items: { type: "string" },
      },
      requirements: { description: "The path of the requirements that the description cites.", type: "string" },
      names: {
        description: "Names for a description that cannot be edited: of an operationId, `get /path` or a schema.",
        type: "object",
        additionalProperties: { type: "string" },
      },
      nestedArrays: {
        description: "How clients write arrays in the style deepObject. Default: brackets.",
        enum: nestedArrayStyles,
      },
      keywords: {
        description:
          "Custom keywords of the schemas, such as x-luhn, which validators check with functions of their users.",
        type: "array",
        items: { type: "string", pattern: keywordNamePattern },
      },
      artifacts: {
        description: "The artifacts to generate: a package each.",
        ...objectOf({
          properties: Object.fromEntries(
            [...artifacts].map(([kind, options]) => [kind, artifactSchema(kind, options)] as const),
          ),
        }),
      },
    },
  });
}

function artifactSchema(kind: string, options: OptionTable | typeof anyOptions): JsonSchema {
  const sources = {
    description: "The folder for sources without a package, such as one of an application. In place of `out`.",
    type: "string",
  };
  const importExtension = {
    description:
      "How files of `sources` import each other: `js` for Node and most bundlers, `none` for all bundlers, `ts` for compilers that allow it. Default: js.",
    enum: importExtensions,
  };
  return {
    ...objectOf({
      properties: {
        package: {
          description: "The name of the package. Default: derived from the title.",
          type: "string",
          pattern: "^(?=.{1,214}$)(@[a-z0-9_-][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$",
        },
        out: { description: `The folder of the package. Default: ../packages/${kind}.`, type: "string" },
        include: includeSchema,
        private: { description: "Whether the package is private. Default: false.", type: "boolean" },
        ...(sourcesKinds.has(kind) ? { sources, importExtension } : {}),
        ...(options === anyOptions
          ? {}
          : Object.fromEntries(Object.entries(options).map(([key, option]) => [key, optionSchema(option)] as const))),
      },
    }),
    ...(options === anyOptions ? { additionalProperties: true } : {}),
    ...(sourcesKinds.has(kind)
      ? { dependencies: { importExtension: ["sources"], sources: { not: { required: ["out"] } } } }
      : {}),
    type: ["object", "null"], // `client:` without options
  };
}

const includeSchema: JsonSchema = {
  description:
    "The operations of the artifact: those that one of these lists names. Schemas that only others use are left out. Default: all operations.",
  ...objectOf({
    properties: Object.fromEntries(
      Object.entries(includeKeys).map(([key, description]): [string, JsonSchema] => [
        key,
        { description, type: "array", minItems: 1, items: { type: "string" } },
      ]),
    ),
  }),
  minProperties: 1,
};

/** An option is a JSON Schema, but for `format: path`, which validators do not know. */
function optionSchema(option: OptionSchema): JsonSchema {
  const { format, description, ...rest }: OptionSchema & { readonly format?: "path" } = option;
  return { description: `${endSentence(description)}${format === "path" ? " Relative to this file." : ""}`, ...rest };
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

function objectOf({ properties, required = [] }: ObjectSchema): JsonSchema {
  return { type: "object", additionalProperties: false, ...(required.length === 0 ? {} : { required }), properties };
}
