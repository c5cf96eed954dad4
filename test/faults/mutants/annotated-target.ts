import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { readSuite } from "@plumbline/conformance-runtime";
import { buildApi, loadDescription } from "@plumbline/kit/openapi";
import { annotatedApis, annotatedCredentials, type AnnotatedName } from "../../conformance/annotated/annotated-apis.js";
import { serveSample } from "../../support/foreign/serving.js";
import { repositoryRoot } from "../repository.js";
import type { MutantTarget } from "./targets.js";

export const annotatedNames = Object.keys(annotatedApis) as readonly AnnotatedName[];

/** The faithful server of a description of `test/descriptions/annotated`, with fixed tokens and without test controls. */
export async function annotatedTarget(
  name: AnnotatedName,
  generate: (folder: string) => Promise<unknown> = generateByProgram,
): Promise<MutantTarget> {
  const folder = await mkdtemp(path.join(tmpdir(), "mutants-"));
  try {
    const file = `${name}.yaml`;
    await copyFile(path.join(repositoryRoot, "test", "descriptions", "annotated", file), path.join(folder, file));
    const artifact = `conformance: {package: '@${name}/conformance', out: ${name}}`;
    const config = `ruleset: minimal\ndescriptions: [{description: ${file}, artifacts: {${artifact}}}]\n`;
    await writeFile(path.join(folder, "plumbline.yaml"), config);
    await generate(folder);
    const description = await loadDescription(path.join(folder, file));
    return {
      name,
      api: buildApi(description, { names: {}, requirements: undefined, ruleset: "minimal" }),
      // A copy has read all files before the folder is removed.
      suite: { ...readSuite(pathToFileURL(path.join(folder, name, "data", path.sep))) },
      isDisposable: true,
      start: async () => {
        const { url, close } = await serveSample(annotatedApis[name].serve());
        return { url, credentials: annotatedCredentials(name), close };
      },
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function generateByProgram(folder: string): Promise<void> {
  const program = path.join(repositoryRoot, "packages", "plumbline", "bin", "plumbline.js");
  await promisify(execFile)(process.execPath, [program, "generate"], { cwd: folder });
}
