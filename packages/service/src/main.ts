import { readFileSync } from "node:fs";
import { formatCommandHelp, formatOptions, runProgram } from "@plumbline/command-line";
import { migrateCommand } from "./migrate-command.js";
import { optionsOf, type Options } from "./options.js";
import { serveOptions } from "./serve-options.js";
import { backupCommand, exportCommand, importCommand, moveCommand, restoreCommand } from "./store-commands.js";

/** The program `cloud-compute`, whose commands are below. */
export async function main(args: readonly string[]): Promise<number> {
  const commands = {
    serve: () => ({
      options: serveOptions,
      formatHelp: (name: string) =>
        formatCommandHelp(name, serveOptions, { text: "Serves the Cloud Compute API.", notes, examples }),
      execute: async (rest: readonly string[]) => {
        await serve(optionsOf(rest, process.env));
        return 0;
      },
    }),
    migrate: () => migrateCommand,
    backup: () => backupCommand,
    restore: () => restoreCommand,
    export: () => exportCommand,
    import: () => importCommand,
    move: () => moveCommand,
  };
  try {
    return await runProgram({ name: "cloud-compute", version, overview, commands }, args, process);
  } catch (error) {
    process.stderr.write(`cloud-compute: ${messageOf(error)}\n`);
    return 1;
  }
}

const notes = `Environment variables set options, too: CLOUD_COMPUTE_PORT, CLOUD_COMPUTE_DATABASE_URL, and so on. CLOUD_COMPUTE_TOKEN, of 32 to 1024 characters, is the token of the user admin on an empty store. Both secrets can be in files, which CLOUD_COMPUTE_TOKEN_FILE and CLOUD_COMPUTE_DATABASE_URL_FILE name.`;

const examples = [
  "cloud-compute serve --data :memory: --pace 0 --controls-port 8081",
  "cloud-compute serve --database-url postgres://localhost/cloud --port 8080 --upload-dir /srv/uploads",
];

const overview = `Serves the Cloud Compute API.

  cloud-compute serve [options]

${formatOptions(serveOptions)}
  --help         this text

  cloud-compute migrate [options]
                 brings a store to the schema of this version, and stops
  cloud-compute backup FILE [options]
                 saves an embedded store in a file, also while the service runs
  cloud-compute restore FILE [options]
                 restores a backup in an empty folder
  cloud-compute export FILE [options]
                 writes a store as lines of JSON, also while the service runs
  cloud-compute import FILE [options]
                 imports them into an empty folder or database
  cloud-compute move --from PLACE --to PLACE [options]
                 moves a store from a folder to PostgreSQL, or back
  cloud-compute --version
                 the version of the service
  cloud-compute completion SHELL
                 a script that completes commands and options in bash, zsh or fish

${notes}

${examples.map((each) => `  ${each}\n`).join("")}`;

/** Serves until a signal ends the process. */
async function serve(options: Options): Promise<void> {
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
