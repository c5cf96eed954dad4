// @ts-check
import { defineGenerator } from "@plumbline/kit/codegen";
import { sample } from "openapi-sampler";

/** Wraps an OpenAPI tool, `openapi-sampler`: a file with a sample of each schema. The tool reads the document and not the model. */
export default defineGenerator({
  options: {
    skipReadOnly: { type: "boolean", default: false, description: "Whether to omit properties of responses only" },
  },
  async files(_api, { config, document }) {
    /** @type {{ readonly components?: { readonly schemas?: Readonly<Record<string, object>> } }} */
    const description = await document();
    const schemas = Object.entries(description.components?.schemas ?? {});
    const samples = schemas.map(([name, schema]) => [name, sample(schema, config, description)]);
    return [{ path: "samples.json", text: JSON.stringify(Object.fromEntries(samples)) }];
  },
});
