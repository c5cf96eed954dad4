import path from "node:path";
import { Project, ts } from "ts-morph";
import { expect, it } from "vitest";
import { install } from "../support/examples.js";
import { place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";

const program = `import { createClient, getInstance, isApiError, type Instance } from "@cloud-compute/client";
import { withRetry } from "@plumbline/client-runtime";

export async function read(computeId: number): Promise<Instance | undefined> {
  const client = createClient({ fetch: withRetry() });
  return getInstance(client, { path: { computeId } }).catch((error: unknown) => {
    if (isApiError(error)) return undefined;
    throw error;
  });
}
`;

it("a CommonJS program finds types by `moduleResolution: node10`, beside an injected error", async () => {
  const folder = await temporaryFolder();
  await install(folder);
  await place(folder, { "program.ts": program, "wrong.ts": program.replace("computeId }", 'computeId: "1" }') });
  const project = new Project({
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      // As in applications of NestJS before version 11.
      moduleResolution: ts.ModuleResolutionKind.Node10,
      ignoreDeprecations: "6.0",
      target: ts.ScriptTarget.ES2021,
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
      types: ["node"],
      strict: true,
      esModuleInterop: true,
      skipLibCheck: true,
    },
  });
  project.addSourceFilesAtPaths(path.join(folder, "*.ts"));
  const errors = project
    .getPreEmitDiagnostics()
    .map((each) => `${each.getSourceFile()?.getBaseName()}:${each.getLineNumber()} TS${each.getCode()}`);
  expect(errors).toEqual(["wrong.ts:6 TS2322"]);
});
