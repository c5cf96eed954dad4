import { pets, place } from "./pets.js";
import { temporaryFolder } from "./places.js";

/** A folder with the pets and a generator that has these files, which writes to `out`. */
export async function withGenerator(files: string): Promise<string> {
  const folder = await temporaryFolder();
  await place(folder, {
    "openapi.yaml": pets,
    "spec/mine.mjs": `export default { files: ${files} };\n`,
    "spec/plumbline.yaml": `ruleset: minimal
generators: {mine: ./mine.mjs}
descriptions: [{description: ../openapi.yaml, artifacts: {client: {out: ../client}, mine: {out: ../out}}}]
`,
  });
  return folder;
}
