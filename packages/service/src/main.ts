import { readFileSync } from "node:fs";
import { help, optionsOf, UsageError } from "./options.js";

/** The program: `cloud-compute serve [options]`, or `cloud-compute completion SHELL`. */
export async function main(args: readonly string[]): Promise<void> {
  const [command, ...rest] = args;
  if (args.includes("--help") || args.includes("-h") || command === undefined || command === "help") {
    process.stdout.write(help);
    if (command === undefined) process.exitCode = 2;
    return;
  }
  if (command === "--version") {
    process.stdout.write(`${version()}\n`);
    return;
  }
  try {
    if (command === "completion") {
      const { formatServiceCompletion } = await import("./completion.js");
      process.stdout.write(formatServiceCompletion(rest));
      return;
    }
    if (command !== "serve")
      throw new UsageError(
        `Unknown command ${JSON.stringify(command)}. The commands are \`serve\` and \`completion\`.`,
      );
    await serve(rest);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\nSee cloud-compute --help.\n`);
      process.exitCode = 2;
      return;
    }
    process.stderr.write(`cloud-compute: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

async function serve(args: readonly string[]): Promise<void> {
  const options = optionsOf(args, process.env);
  // Only the owner can read what is created from here on.
  process.umask(0o077);
  const { startService } = await import("./service.js");
  const service = await startService(options);
  const { url, controls, token } = service;
  process.stdout.write(`${JSON.stringify({ ready: true, url, controls, token })}\n`);
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    void service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`cloud-compute: ${messageOf(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}

/** The message of an error, and the messages of its causes. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `: ${messageOf(error.cause)}`;
  return `${error.message || error.name}${cause}`;
}
