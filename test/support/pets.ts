import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** A third-party description in one file: two operations, without extension fields. */
export const pets = `openapi: 3.0.3
info: {title: Pet shop, version: 1.2.0, license: {name: MIT, url: 'https://opensource.org/license/mit'}}
servers: [{url: https://pets.example/v1}]
security: []
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      summary: List pets
      responses:
        '200':
          description: All of them.
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}
        '400': {description: No.}
  /pets/{id}:
    get:
      operationId: getPet
      tags: [pets]
      summary: Get a pet
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        '404': {description: There is none.}
components:
  schemas:
    Pet: {type: object, required: [id], properties: {id: {type: integer}, name: {type: string}}}
`;

/** Writes files by their path in a folder, and creates their parent folders. */
export async function place(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

/** Every file below a folder with its text, by its relative path, in order; without files that disappear meanwhile. */
export async function filesOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const read = files.sort().map(async (file) => {
    const name = path.relative(folder, file).split(path.sep).join("/");
    return [name, await readFile(file, "utf8").catch(goneOf)] as const;
  });
  const there = (await Promise.all(read)).filter((entry): entry is readonly [string, string] => entry[1] !== undefined);
  return Object.fromEntries(there);
}

function goneOf(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  return undefined;
}
