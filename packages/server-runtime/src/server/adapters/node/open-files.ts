/** The default number of connections. It leaves a fifth of the files that the process may open for other uses. */
export function defaultMaxConnections(limits: string = limitsOfProcess()): number {
  const [, files] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  return files === undefined
    ? maxConnectionsCap
    : Math.max(1, Math.min(maxConnectionsCap, Math.floor(Number(files) * 0.8)));
}

const maxConnectionsCap = 10_000;

/** The limits as Linux lists them. Empty on other systems, whose limits are higher. */
function limitsOfProcess(): string {
  try {
    // An import would bind this module to Node, and bundlers for other platforms would look for it.
    return platform.process?.getBuiltinModule?.("node:fs")?.readFileSync("/proc/self/limits", "utf8") ?? "";
  } catch {
    return "";
  }
}

interface Platform {
  readonly process?: {
    readonly getBuiltinModule?: (name: string) => { readFileSync(path: string, encoding: string): string } | undefined;
  };
}

const platform = globalThis as Platform;
