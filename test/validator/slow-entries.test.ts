import { symlink } from "node:fs/promises";
import path from "node:path";
import validatorGenerator from "@plumbline/generators/validator";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { runNode } from "../support/run.js";

const description = `openapi: 3.1.0
info: {title: Boats, version: 1.0.0}
servers: [{url: https://boats.example}]
paths:
  /boats:
    post:
      operationId: addBoat
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
      responses: {'204': {description: It.}}
components:
  schemas:
    Boat:
      type: object
      properties:
        nick: {type: string, pattern: '^(a+)+$'}
        short: {type: string, pattern: '^(b+)+$', maxLength: 5}
        keys: {type: object, patternProperties: {'^(e+)+$': {type: integer}}, additionalProperties: false}
        names: {type: object, propertyNames: {pattern: '^(n+)+$'}}
`;

const program = `import { Ajv2020 } from "ajv/dist/2020.js";
import { ajvValidator } from "./gen/ajv.js";
import { addBoatInput } from "./gen/standard.js";
const long = 100_000;
const onAjv = ajvValidator(new Ajv2020({ allErrors: true })).fetch({})(() => new Response("{}"));
const bodies = [
  { nick: "a".repeat(long) + "!" }, { nick: "a".repeat(40) + "!" }, { nick: "a".repeat(long) }, { short: "b".repeat(40) + "!" }, { short: "b" },
  { keys: { ["e".repeat(long) + "!"]: 1 } }, { keys: { ["e".repeat(long)]: 1 } }, { names: { ["n".repeat(long) + "!"]: 1 } },
];
for (const body of bodies) {
  const { issues } = await addBoatInput["~standard"].validate({ body });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const { status } = await onAjv(new Request("https://boats.example/boats", init));
  console.log(issues === undefined, status === 200);
}`;

it("no text makes Standard Schema or the entry for Ajv hang", async () => {
  const folder = await temporaryFolder();
  const config = { ajv: true, standard: true };
  await place(folder, await testGenerator(validatorGenerator, { description, config }));
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  const outfile = path.join(folder, "check.mjs");
  await build({
    stdin: { contents: program, resolveDir: path.join(folder, "src"), loader: "ts" },
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    outfile,
  });
  // In a process of its own, which is killed if it hangs.
  const { code, out, error } = await runNode([outfile], { in: folder });
  expect({ code, error }).toEqual({ code: 0, error: "" });
  const valid = [false, false, true, false, true, false, true, false];
  expect(out.trim().split("\n")).toEqual(valid.map((each) => `${each} ${each}`));
});
