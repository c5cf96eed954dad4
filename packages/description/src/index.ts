/** The addresses of the documents, which `readFile` of `node:fs/promises` takes. */
export const documents: Readonly<Record<"json" | "yaml" | "plain", URL>> = {
  /** With extension fields, examples, and samples of requests in `x-codeSamples`. */
  json: new URL("../dist/openapi.json", import.meta.url),
  /** The same as YAML. */
  yaml: new URL("../openapi.yaml", import.meta.url),
  /** Without extension fields, as JSON. */
  plain: new URL("../dist/openapi.plain.json", import.meta.url),
};
