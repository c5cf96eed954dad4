import type { JsonSchema } from "../schemas.js";
import { convertSchema } from "./convert-schema.js";
import { draft07 } from "./draft-07.js";
import { openApi30 } from "./openapi-30.js";
import { inlineRoot } from "./root-schema.js";
import type { Describe, StandardJsonSchema } from "./standard-schema.js";

/** Creates the converter of a schema to the drafts of JSON Schema that libraries ask for. */
export function createJsonSchemaTargets(describe: Describe): StandardJsonSchema {
  const convertOf =
    (side: keyof StandardJsonSchema): StandardJsonSchema["input"] =>
    ({ target }) => {
      const toTarget = targets.get(target);
      if (toTarget === undefined)
        throw new Error(`Unsupported target "${target}". Use ${[...targets.keys()].join(", ")}.`);
      return { ...toTarget(inlineRoot(describe(side))) };
    };
  return { input: convertOf("input"), output: convertOf("output") };
}

const targets: ReadonlyMap<string, (schema: JsonSchema) => JsonSchema> = /* @__PURE__ */ new Map([
  ["draft-2020-12", (schema) => ({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema })],
  ["draft-07", (schema) => ({ $schema: "http://json-schema.org/draft-07/schema#", ...convertSchema(schema, draft07) })],
  ["openapi-3.0", (schema) => convertSchema(schema, openApi30)],
]);
