import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import path from "node:path";

/** A release cannot continue. The message has the cause and the remedy. */
export class ReleaseError extends Error {
  constructor(message, remedy) {
    super(remedy === undefined ? message : `${message}\n  ${remedy}`);
    this.name = "ReleaseError";
  }
}

/** Runs a program and returns its output. Throws a ReleaseError with the output when the program fails. */
export async function outputOf(command, root) {
  const { status, stdout, stderr } = await ended(command, root);
  if (status === 0) return stdout;
  throw new ReleaseError(`${command.join(" ")} failed.`, `${stdout}${stderr}`.trim());
}

/** Runs a program, and returns its exit code and output. */
export async function ended([program, ...args], root) {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { cwd: root, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      running.delete(child);
      if (isLeaving) return; // the process is ending
      if (child.pid === undefined) reject(new ReleaseError(`${program} cannot be run: ${error.message}`));
      else resolve({ status: child.exitCode, stdout, stderr });
    });
    running.add(child);
    child.stdin.end();
  });
}

/** Runs `work` in a temporary folder, and removes the folder afterwards, also after a signal such as Ctrl-C. */
export async function inTemporaryFolder(work) {
  const folder = mkdtempSync(path.join(tmpdir(), "release-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const leave = (signal) => {
    isLeaving = true;
    void Promise.all([...running].map(stopped)).then(() => {
      remove();
      process.exit(128 + constants.signals[signal]);
    });
  };
  for (const signal of signals) process.on(signal, leave);
  try {
    return await work(folder);
  } finally {
    if (!isLeaving) remove();
    for (const signal of signals) process.off(signal, leave);
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const running = new Set();
let isLeaving = false;

/** Stops a program: it has to end before its folder is removed. */
async function stopped(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  const late = setTimeout(() => child.kill("SIGKILL"), 5000); // milliseconds
  await once(child, "exit");
  clearTimeout(late);
}
