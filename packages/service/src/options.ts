import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

/** Options of the service. */
export interface Options {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly databaseUrl: string | undefined;
  readonly pace: number;
  readonly publicUrl: string | undefined;
  readonly controlsPort: number | undefined;
  readonly uploadDir: string | undefined;
  readonly log: Level;
  readonly generalLimit: number | undefined;
  /** Whether to open a store that may have lost acknowledged writes. Default: false. */
  readonly acceptLoss: boolean;
  /** Maximum number of connections to the API. Default: as many as the runtime allows. */
  readonly maxConnections: number | undefined;
  /** Whether domains may be imported from nameservers in private networks and on this machine. Default: false. */
  readonly allowPrivateNameservers: boolean;
  /** Whether the description and its reference are served beside the API. Default: true. */
  readonly docs: boolean;
  /** The folder of a reference site. Default: a page that lists the operations. */
  readonly site: string | undefined;
  /** The token of the first user. Default: a new one. */
  readonly token: string | undefined;
}

type Level = (typeof levels)[number];

export const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Maximum number of characters of a token. Generated tokens have 64. */
export const maxTokenCharacters = 1024;

/** The arguments or the environment of the program are invalid. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The options with a value. */
export const flags = [
  "host",
  "port",
  "data",
  "database-url",
  "pace",
  "public-url",
  "controls-port",
  "upload-dir",
  "log",
  "general-limit",
  "max-connections",
  "site",
] as const;
/** Flags without a value. In the environment they are `true` or `false`. */
export const switches = ["accept-loss", "allow-private-nameservers", "no-docs"] as const;
type Flag = (typeof flags)[number] | (typeof switches)[number];

export const help: string = `Serves the Cloud Compute API.

  cloud-compute serve [options]

  --host ADDRESS        address to listen on (127.0.0.1)
  --port N              port, 0 for a free one (8080)
  --data DIR            folder for all data; :memory: stores nothing on disk (a folder of yours, named on start)
  --database-url URL    postgres://…, instead of --data; any number of replicas can share one (none)
  --pace P              speed of the platform: 60 is sixty times as fast, 0 completes at once (1)
  --public-url URL      base of upload addresses (the address listened on)
  --controls-port N     port of the test controls on loopback, 0 for a free one (off)
  --upload-dir DIR      folder for image data (inside --data)
  --log LEVEL           ${levels.join(", ")}: JSON lines on stderr (info)
  --general-limit N     requests of a user per minute (no limit)
  --accept-loss         open a store with a missing or damaged write-ahead log, with the remaining data (off)
  --max-connections N   maximum of open connections; the client with the most loses one (10000, or 4/5 of the open file limit)
  --allow-private-nameservers
                        import domains also from private networks and this machine's addresses (off)
  --site DIR            folder of a reference site, for /docs (a page that lists the operations)
  --no-docs             do not serve /openapi.json, /openapi.yaml and /docs (off)
  --help                this text

  cloud-compute --version
                        the version of the service
  cloud-compute completion SHELL
                        a script that completes commands and options in bash, zsh or fish

Environment variables set options, too: CLOUD_COMPUTE_PORT, CLOUD_COMPUTE_DATABASE_URL, and so on.
CLOUD_COMPUTE_TOKEN, of 32 to 1024 characters, is the token of the user admin on an empty store.

  cloud-compute serve --data :memory: --pace 0 --controls-port 8081
  cloud-compute serve --database-url postgres://localhost/cloud --port 8080 --upload-dir /srv/uploads
`;

/**
 * Reads options from the arguments, then from the environment.
 *
 * @throws UsageError when an option is invalid
 */
export function optionsOf(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): Options {
  const flagValues = argumentsOf(args);
  // An empty variable counts as not set: files of variables have such lines for missing values.
  const variable = (name: string): string | undefined => environment[`CLOUD_COMPUTE_${name}`] || undefined;
  const value = (flag: Flag): string | undefined =>
    flagValues[flag] ?? variable(flag.replaceAll("-", "_").toUpperCase());
  const token = variable("TOKEN");
  if (token !== undefined && token.length < 32)
    throw new UsageError("CLOUD_COMPUTE_TOKEN must have at least 32 characters.");
  if (token !== undefined && token.length > maxTokenCharacters)
    throw new UsageError(`CLOUD_COMPUTE_TOKEN must have at most ${maxTokenCharacters} characters.`);
  const optional = <T>(flag: Flag, read: (flag: Flag, text: string) => T): T | undefined => {
    const text = value(flag);
    return text === undefined ? undefined : read(flag, text);
  };
  return {
    host: value("host") ?? "127.0.0.1",
    port: optional("port", port) ?? 8080,
    data: value("data") ?? join(environment["XDG_DATA_HOME"] ?? join(homedir(), ".local", "share"), "cloud-compute"),
    databaseUrl: optional("database-url", databaseUrl),
    pace: optional("pace", pace) ?? 1,
    publicUrl: optional("public-url", publicUrl),
    controlsPort: optional("controls-port", port),
    uploadDir: value("upload-dir"),
    log: optional("log", level) ?? "info",
    generalLimit: optional("general-limit", count),
    acceptLoss: optional("accept-loss", isTrue) ?? false,
    maxConnections: optional("max-connections", count),
    allowPrivateNameservers: optional("allow-private-nameservers", isTrue) ?? false,
    docs: !(optional("no-docs", isTrue) ?? false),
    site: value("site"),
    token,
  };
}

type Arguments = Readonly<Partial<Record<Flag, string>>>;

function argumentsOf(args: readonly string[]): Arguments {
  const values = parsed(args);
  // An empty host would mean every address of the machine, and an empty path is not a folder.
  for (const flag of flags) if (values[flag] === "") throw new UsageError(`--${flag} needs a value.`);
  return values;
}

function parsed(args: readonly string[]): Arguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...Object.fromEntries(flags.map((flag) => [flag, { type: "string" as const }])),
        ...Object.fromEntries(switches.map((flag) => [flag, { type: "boolean" as const }])),
      },
      allowPositionals: false,
    });
    return Object.fromEntries(Object.entries(values).map(([flag, value]) => [flag, String(value)]));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function port(flag: Flag, text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65_535)
    throw new UsageError(`--${flag} is a port, 0 to 65535, not ${JSON.stringify(text)}.`);
  return number;
}

function count(flag: Flag, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`--${flag} is a number from 1 on, not ${JSON.stringify(text)}.`);
  return Number(text);
}

function isTrue(flag: Flag, text: string): boolean {
  if (text !== "true" && text !== "false")
    throw new UsageError(`--${flag} is true or false, not ${JSON.stringify(text)}.`);
  return text === "true";
}

function pace(flag: Flag, text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number) || number < 0)
    throw new UsageError(`--${flag} is a number from 0 on, not ${JSON.stringify(text)}.`);
  return number;
}

function publicUrl(flag: Flag, text: string): string {
  if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ""))
    throw new UsageError(`--${flag} is an http(s) URL, not ${JSON.stringify(text)}.`);
  return text.replace(/\/+$/, "");
}

function databaseUrl(flag: Flag, text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new UsageError(`--${flag} begins with postgres://, and ${JSON.stringify(text)} does not.`);
  return text;
}

function level(flag: Flag, text: string): Level {
  const found = levels.find((each) => each === text);
  if (found === undefined)
    throw new UsageError(`--${flag} is one of ${levels.join(", ")}, not ${JSON.stringify(text)}.`);
  return found;
}
