import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { findProgram } from "../../src/system-programs.support.js";

const ip = findProgram("ip");

/** Whether this process may create networks: as root, with `ip`. */
export const canCreateNetworks: boolean = ip !== undefined && process.getuid?.() === 0;

/** A machine for a program, beside this one. Two cables go there, and one of them can be cut. */
export interface OtherMachine {
  /** Runs a program there. */
  readonly within: readonly string[];
  /** The address of the other machine, through the first cable. */
  readonly address: string;
  /** The address of this machine, through the second cable. */
  readonly back: string;
  /** Cuts the second cable: what is sent is lost, and neither end is informed. */
  cut(): void;
  heal(): void;
  close(): void;
}

/** Creates one: a network namespace, with two pairs of virtual interfaces. */
export function createMachine(): OtherMachine {
  const number = randomInt(256);
  const name = `plumbline${number}`;
  const run = (line: string): void => void execFileSync(ip ?? "ip", line.split(" "), { stdio: "pipe" });
  // 198.18 is for such tests (RFC 2544).
  const address = (last: number): string => `198.18.${number}.${last}`;
  run(`netns add ${name}`);
  run(`-n ${name} link set lo up`);
  for (const [cable, first] of [
    [`pla${number}`, 1],
    [`plb${number}`, 5],
  ] as const) {
    run(`link add ${cable} type veth peer name ${cable}n netns ${name}`);
    run(`addr add ${address(first)}/30 dev ${cable}`);
    run(`link set ${cable} up`);
    run(`-n ${name} addr add ${address(first + 1)}/30 dev ${cable}n`);
    run(`-n ${name} link set ${cable}n up`);
  }
  return {
    within: [ip ?? "ip", "netns", "exec", name],
    address: address(2),
    back: address(5),
    cut: () => run(`link set plb${number} down`),
    heal: () => run(`link set plb${number} up`),
    // Its interfaces, and their other ends, go with it.
    close: () => run(`netns del ${name}`),
  };
}
