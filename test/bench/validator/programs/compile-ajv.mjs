// Compiles with ajv as its users do ahead of time: the body of createInstance with and without `ownProperties`, and the JSON bodies of all operations.
import { readFileSync, writeFileSync } from "node:fs";
import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";

const description = JSON.parse(readFileSync("description.json", "utf8"));

const bodies = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) => {
    if (operation.requestBody?.content?.["application/json"] === undefined) return [];
    const pointer = [path, method, "requestBody", "content", "application/json", "schema"];
    const escaped = pointer.map((key) => key.replaceAll("~", "~0").replaceAll("/", "~1"));
    return [
      { name: operation.operationId, schema: { $ref: `api#/paths/${escaped.map(encodeURIComponent).join("/")}` } },
    ];
  }),
);
const one = bodies.filter(({ name }) => name === "createInstance");

compile("ajv-own.mjs", { schemas: one, ownProperties: true });
compile("ajv-any.mjs", { schemas: one, ownProperties: false });
compile("ajv-all.mjs", { schemas: bodies, ownProperties: true });

function compile(file, { schemas, ownProperties }) {
  if (schemas.length === 0) throw new Error("The description has no such bodies.");
  const code = { source: true, esm: true };
  // Not strict, since the description has fields of its own beside those of JSON Schema.
  const ajv = new Ajv2020.Ajv2020({ allErrors: true, strict: false, ownProperties, code });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "api", ...description });
  for (const { name, schema } of schemas) ajv.compile({ $id: name, ...schema });
  writeFileSync(file, standaloneCode.default(ajv, Object.fromEntries(schemas.map(({ name }) => [name, name]))));
}
