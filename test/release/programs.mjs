import { spawnSync } from "node:child_process";

/** A release cannot continue. The message has the cause and the remedy. */
export class ReleaseError extends Error {
  /**
   * @param {string} message
   * @param {string} [remedy]
   */
  constructor(message, remedy) {
    super(remedy === undefined ? message : `${message}\n  ${remedy}`);
    this.name = "ReleaseError";
  }
}

/**
 * Runs a program and returns its output. Throws a ReleaseError with the output when the program fails.
 *
 * @param {readonly string[]} command
 * @param {string} root
 */
export function outputOf([program = "", ...args], root) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw new ReleaseError(`${program} cannot be run: ${error.message}`);
  if (status === 0) return stdout;
  throw new ReleaseError(`${[program, ...args].join(" ")} failed.`, `${stdout}${stderr}`.trim());
}

/**
 * Runs a program that shows its output itself, and may prompt. Throws a ReleaseError when it fails.
 *
 * @param {readonly string[]} command
 * @param {{ root: string, env?: Readonly<Record<string, string>> }} surroundings
 */
export function runVisibly([program = "", ...args], { root, env }) {
  const status = exitCodeOf([program, ...args], { root, env });
  const [, name = ""] = /([\w-]+)(?:\.js)?$/.exec(args[1] ?? "") ?? [];
  if (status !== 0)
    throw new ReleaseError(`changeset ${name} failed.`, "Fix this and run npm run release again: it continues there.");
}

/**
 * Runs a program that shows its output itself, and may prompt. Returns its exit code.
 *
 * @param {readonly string[]} command
 * @param {{ root: string, env?: Readonly<Record<string, string>> | undefined }} surroundings
 */
export function exitCodeOf([program = "", ...args], { root, env }) {
  const { status } = spawnSync(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: "inherit" });
  return status ?? 1;
}
