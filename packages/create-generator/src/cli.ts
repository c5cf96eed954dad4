import path from "node:path";
import { createGenerator, ExistingFolderError } from "./create-generator.js";

/** 0: success. 1: the folder exists. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** The output of the command, and the folder that it works in. */
export interface CommandIo {
  readonly out: NodeJS.WritableStream;
  readonly error: NodeJS.WritableStream;
  readonly folder: string;
}

/**
 * Runs `create-generator`.
 *
 * @param args - The arguments after the program's name.
 * @param io - The output streams, and the current folder.
 * @returns The exit code.
 */
export async function main(args: readonly string[], io: CommandIo): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h") {
    io.out.write(help);
    return 0;
  }
  const issue = findUsageIssue(name, rest);
  if (name === undefined || issue !== undefined) {
    io.error.write(`${issue ?? "Missing NAME."}\nTry npm create @plumbline/generator -- --help.\n`);
    return 2;
  }
  try {
    const files = await createGenerator({ name, folder: path.join(io.folder, name) });
    for (const file of files) io.out.write(`wrote    ${name}/${file}\n`);
    io.out.write(nextCommands(name));
    return 0;
  } catch (error) {
    if (!(error instanceof ExistingFolderError)) throw error;
    io.error.write(`${error.message}\n`);
    return 1;
  }
}

const help = `npm create @plumbline/generator NAME

Creates a generator in the folder NAME, with a golden-file test and an example.

  NAME  the name of the artifact in plumbline.yaml: lower-case letters, digits and hyphens

Example
  npm create @plumbline/generator routes
`;

function findUsageIssue(name: string | undefined, rest: readonly string[]): string | undefined {
  const [unexpected] = rest;
  if (unexpected !== undefined) return `"${unexpected}" is an unexpected argument.`;
  if (name === undefined) return "Missing NAME.";
  if (!/^[a-z][a-z0-9-]{0,99}$/.test(name))
    return `"${name}" is not a valid name. Use lower-case letters, digits and hyphens.`;
  return builtInArtifacts.has(name) ? `"${name}" is the name of a built-in artifact. Use another name.` : undefined;
}

const builtInArtifacts: ReadonlySet<string> = new Set(["client", "validator", "server", "conformance"]);

function nextCommands(name: string): string {
  return `
Next:
  cd ${name}
  npm install
  npm test
  npm run example
`;
}
