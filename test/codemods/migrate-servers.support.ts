import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import validatorGenerator from "@plumbline/generators/validator";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { compileProject, type Ended, plumblineProgram, runNode } from "../support/run.js";

/** The tool of the application. */
export const tool = "express-openapi-validator";
const validator = "@seeds/validator";

/** A copy of the sample application, beside the package that replaces its tool. */
export interface ServerApplication {
  readonly folder: string;
  readonly compile: () => Promise<Ended>;
  /** Runs the application's own checks, over a socket. */
  readonly check: () => Promise<Ended>;
  readonly migrate: (code: string, ...args: readonly string[]) => Promise<Ended>;
  readonly read: (file: string) => Promise<string>;
}

/** Copies the sample application into a temporary folder, and generates the validator that replaces the tool. */
export async function openServerApplication(): Promise<ServerApplication> {
  const folder = await temporaryFolder();
  await cp(path.join(repository, "test/migrations", tool, "before"), folder, { recursive: true });
  const packages = path.join(folder, "node_modules");
  await mkdir(packages);
  // What the packages of the repository need is found beside their real paths.
  for (const each of ["@plumbline", "@types", "cors", "express", "multer", tool])
    await symlink(path.join(repository, "node_modules", each), path.join(packages, each));
  const description = await readFile(path.join(folder, "openapi.yaml"), "utf8");
  const files = await testGenerator(validatorGenerator, {
    description,
    config: { formats: ["accession", "lot"] },
    package: validator,
  });
  const generated = path.join(packages, validator);
  await place(generated, files);
  const built = await compileProject(generated, { in: folder });
  if (built.code !== 0) throw new Error(`The generated package does not compile: ${built.out}`);
  return {
    folder,
    compile: () => compileProject(folder, { in: folder }),
    check: () => runNode([path.join(folder, "dist/check.js")], { in: folder, timeout: 60_000 }),
    migrate: (code, ...args) => {
      const command = ["migrate", "openapi.yaml", "--from", tool, "--validator", validator, "--code", code];
      return runNode([plumblineProgram, ...command, ...args], { in: folder });
    },
    read: (file) => readFile(path.join(folder, file), "utf8"),
  };
}
