// Prints openapi.yaml as JSON into dist, with and without extension fields. The build of this package runs it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { parse } from "yaml";

// Keys of objects whose own keys are names, of which one may begin with `x-`.
const maps = new Set(
  "webhooks pathItems schemas responses parameters examples requestBodies headers securitySchemes links callbacks mediaTypes properties patternProperties dependentSchemas dependentRequired $defs definitions content encoding variables scopes mapping".split(
    " ",
  ),
);
// Keys whose values are JSON of the API, and not of OpenAPI.
const values = new Set(["example", "default", "const", "enum", "value", "examples", "dataValue"]);

const document = parse(readFileSync("openapi.yaml", "utf8"), { maxAliasCount: -1 });
mkdirSync("dist", { recursive: true });
write("dist/openapi.json", document);
write("dist/openapi.plain.json", withoutExtensions(document, false));

function write(file, value) {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

function withoutExtensions(value, isMap) {
  if (Array.isArray(value)) return value.map((each) => withoutExtensions(each, false));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([key]) => isMap || !key.startsWith("x-"));
  return Object.fromEntries(
    fields.map(([key, each]) => {
      if (isMap) return [key, withoutExtensions(each, false)];
      if (maps.has(key) && !Array.isArray(each)) return [key, withoutExtensions(each, true)];
      return [key, values.has(key) ? each : withoutExtensions(each, false)];
    }),
  );
}
