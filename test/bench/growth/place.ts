import { writeFile } from "node:fs/promises";
import path from "node:path";
import { makeFolder, ownPackage } from "../folder.js";
import { peerFile, run, type Node } from "../peers.js";
import { repository } from "../places.js";

/** An array without a limit, whose items must differ: comparing all pairs would be seen. */
const description = `openapi: 3.1.0
info: {title: Things, version: 1.0.0}
paths:
  /things:
    post:
      operationId: createThings
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: array, uniqueItems: true, items: {$ref: '#/components/schemas/Thing'}}
      responses: {'200': {description: Done.}}
components:
  schemas:
    Thing:
      type: object
      required: [id, name, kind]
      properties:
        id: {type: integer, minimum: 0}
        name: {type: string, maxLength: 64, pattern: '^[a-z]+-[0-9]+$'}
        kind: {enum: [a, b, c]}
        tags: {type: array, items: {type: string, maxLength: 20}}
`;

/** Creates a folder with the measured program, and the generated validator of a body that grows. */
export async function placeGrowth(node: Node): Promise<string> {
  const packages = new Map([["@plumbline/server-runtime", ownPackage("server-runtime")]]);
  const folder = await makeFolder({ programs: ["growth/programs"], packages });
  await writeFile(path.join(folder, "things.yaml"), description);
  const plumbline = path.join(repository, "packages", "plumbline", "bin", "plumbline.js");
  const args = ["generate", "--spec", "things.yaml", "--only", "validator", "--out", "generated"];
  await run(node.program, [plumbline, ...args], folder);
  const entry = path.join("generated", "validator", "src", "gen", "fetch.ts");
  const options = ["--bundle", "--format=esm", "--target=es2022", "--outfile=things.mjs", "--log-level=error"];
  await run(peerFile("esbuild", "bin/esbuild"), [entry, ...options], folder);
  return folder;
}
