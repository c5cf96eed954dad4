import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Node } from "./peers.js";

/** Programs of a folder that run beside this one, and end with it when `end` is called. */
export class Children {
  readonly #folder: string;
  readonly #node: Node;
  readonly #flags: readonly string[];
  readonly #children: ChildProcess[] = [];

  /** @param flags flags for Node, before the program */
  constructor(folder: string, node: Node, flags: readonly string[] = []) {
    this.#folder = folder;
    this.#node = node;
    this.#flags = flags;
  }

  start(program: string, ...args: readonly string[]): ChildProcess {
    const child = fork(path.join(this.#folder, program), args, {
      cwd: this.#folder,
      execPath: this.#node.program,
      execArgv: [...this.#flags],
    });
    this.#children.push(child);
    return child;
  }

  /** A server that reports its port. */
  async serve(name: string, ...args: readonly string[]): Promise<Served> {
    const child = this.start("host.mjs", name, ...args);
    return { child, port: (await hear<{ readonly port: number }>(child)).port };
  }

  end(): void {
    for (const child of this.#children) if (child.connected) child.disconnect();
  }
}

export interface Served {
  readonly child: ChildProcess;
  readonly port: number;
}

/** The CPU time of a server so far, in microseconds. */
export async function cpuOf({ child }: Served): Promise<number> {
  const reported = hear<{ readonly cpu: number }>(child);
  child.send("cpu");
  return (await reported).cpu;
}

/** The next message. Throws when the process ends instead. */
export async function hear<Message>(child: ChildProcess): Promise<Message> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([message]) => message as Message),
      once(child, "exit", { signal }).then(() => {
        throw new Error(`${child.spawnargs.join(" ")} ended with ${child.exitCode}.`);
      }),
    ]);
  } finally {
    settled.abort();
  }
}
