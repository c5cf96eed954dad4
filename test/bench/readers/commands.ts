import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { manifestOf, peerFile } from "../peers.js";
import type { BundledDescription } from "./reader.js";

/** A tool that reads a description on the command line. */
export interface CommandReader {
  readonly name: string;
  /** Returns the lines with which the tool complains. */
  readonly read: (description: BundledDescription) => Promise<readonly string[]>;
}

const complaint = /\b(?:warn(?:ing)?|error|fail(?:ed|ure)?|invalid)\b/i;

/** Runs a generator, which has to end with 0, say nothing of warnings or errors, and write its file. */
function generator(
  name: string,
  { program, args, writes }: { readonly program: string; readonly args: readonly string[]; readonly writes: string },
): CommandReader {
  return {
    name: `${name} ${manifestOf(name).version}`,
    async read({ file, out, node }) {
      const given = args.map((each) => each.replace("FILE", file).replace("OUT", out));
      const { code, lines } = await ended(node, [peerFile(name, program), ...given], out);
      const written = path.join(out, writes);
      return [
        ...(code === 0 ? [] : [`it ended with ${code}`, ...lines.slice(-3)]),
        ...lines.filter((line) => complaint.test(line)),
        ...(existsSync(written) ? [] : [`it did not write ${writes}`]),
      ];
    },
  };
}

/** Serves the description with Prism, and sends a request. */
const prism: CommandReader = {
  name: "@stoplight/prism-cli",
  async read({ file, out, node }) {
    const port = await freePort();
    const script = peerFile("@stoplight/prism-cli", "dist/index.js");
    const child = spawn(node, [script, "mock", file, "--port", String(port)], { cwd: out, stdio: "pipe" });
    const lines: string[] = [];
    const ready = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on("line", (line) => {
          lines.push(line);
          if (/listening/i.test(line)) resolve();
        });
      }
      child.once("exit", () => resolve());
      setTimeout(resolve, 60_000).unref();
    });
    await ready;
    const url = `http://127.0.0.1:${port}/regions`;
    const response = await fetch(url, { headers: { authorization: "Bearer token" } }).catch(() => undefined);
    if (child.exitCode === null) {
      child.kill();
      await once(child, "exit");
    }
    return [
      ...lines.filter((line) => complaint.test(line)),
      ...(response?.status === 200 ? [] : [`GET /regions: ${response?.status ?? "no response"}`]),
    ];
  },
};

/** Returns the tools that read a description on the command line. They have to be installed. */
export const createCommandReaders = (): readonly CommandReader[] => [
  generator("openapi-typescript", {
    program: "bin/cli.js",
    args: ["FILE", "--output", "OUT/types.ts"],
    writes: "types.ts",
  }),
  generator("@hey-api/openapi-ts", {
    program: "bin/run.js",
    args: ["--input", "FILE", "--output", "OUT/client", "--no-log-file"],
    writes: "client/sdk.gen.ts",
  }),
  generator("@redocly/cli", { program: "bin/cli.js", args: ["lint", "FILE", "--extends", "spec"], writes: "." }),
  prism,
];

interface Ended {
  readonly code: number | null;
  readonly lines: readonly string[];
}

async function ended(node: string, args: readonly string[], cwd: string): Promise<Ended> {
  const child = spawn(node, args, { cwd, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" } });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => lines.push(line));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, lines };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
