import { spawnSync } from "node:child_process";

/** Why a release cannot go on, and what to do about it. */
export class ReleaseError extends Error {
  constructor(message, remedy) {
    super(remedy === undefined ? message : `${message}\n  ${remedy}`);
    this.name = "ReleaseError";
  }
}

/** What a program prints. Throws a ReleaseError with that where it fails. */
export function outputOf(command, root) {
  const { status, stdout, stderr } = ended(command, root);
  if (status === 0) return stdout;
  throw new ReleaseError(`${command.join(" ")} failed.`, `${stdout}${stderr}`.trim());
}

/** How a program ends, and what it prints. */
export function ended([program, ...args], root) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw new ReleaseError(`${program} does not run: ${error.message}`);
  return { status, stdout, stderr };
}
