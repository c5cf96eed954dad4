import { spawnSync } from "node:child_process";

/**
 * Runs a program to its end, passes its output on, and measures the processor time of it and of its children, user and system together. The shell measures
 * it with POSIX's `times`, because Node has no figure for children. Windows has no such shell: `seconds` is undefined there.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {{ status: number, seconds: number | undefined }}
 */
export function runMeasured(program, args, options) {
  if (process.platform === "win32") {
    const { status } = spawnSync(program, args, { ...options, stdio: "inherit", shell: true });
    return { status: status ?? 1, seconds: undefined };
  }
  const script = '"$@"; code=$?; times >&3; exit $code';
  const { status, output } = spawnSync("sh", ["-c", script, "sh", program, ...args], {
    ...options,
    stdio: ["inherit", "inherit", "inherit", "pipe"],
  });
  return { status: status ?? 1, seconds: parseTimes(String(output[3])) };
}

/**
 * Adds up the output of `times`: minutes and seconds of the shell and of its children, such as `1m2.50s 0m0.25s`.
 *
 * @param {string} text
 * @returns {number | undefined} seconds; undefined where the text has no times
 */
export function parseTimes(text) {
  const found = [...text.matchAll(/(\d+)m(\d+(?:[.,]\d+)?)s/g)];
  if (found.length === 0) return undefined;
  return found.reduce(
    (sum, [, minutes, seconds = ""]) => sum + 60 * Number(minutes) + Number(seconds.replace(",", ".")),
    0,
  );
}
