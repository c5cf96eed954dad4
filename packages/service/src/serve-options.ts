import { readFileSync } from "node:fs";
import { flag, integer, oneOf, parsed, string, UsageError, type Option } from "@plumbline/command-line";

export const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

export type Level = (typeof levels)[number];

type ServeOptions = Readonly<
  Record<
    "host" | "adminHost" | "data" | "databaseUrl" | "publicUrl" | "uploadDir" | "site",
    Option<string | undefined>
  > &
    Record<
      | "port"
      | "adminPort"
      | "pace"
      | "controlsPort"
      | "drainSeconds"
      | "slowMs"
      | "generalLimit"
      | "maxConnections"
      | "databaseConnections",
      Option<number | undefined>
    > &
    Record<"acceptLoss" | "allowPrivateNameservers" | "noDocs" | "logRequests", Option<boolean>> &
    Record<"log", Option<Level | undefined>>
>;

const ports = { least: 0, most: 65_535 };
const counts = { least: 1, most: 999_999_999 };

/** The options of `cloud-compute serve`, with their defaults in brackets. */
export const serveOptions: ServeOptions = {
  host: string("ADDRESS", "address to listen on (127.0.0.1)"),
  port: integer("N", ports, "port, 0 for a free one (8080)"),
  data: string(
    "DIR",
    "folder for all data; :memory: stores nothing on disk (a folder of yours, named on start)",
    "folder",
  ),
  databaseUrl: parsed(
    "URL",
    "postgres://…, instead of --data; any number of replicas can share one (none)",
    parseDatabaseUrl,
  ),
  databaseConnections: integer("N", { least: 2, most: 1000 }, "connections to PostgreSQL at most (16)"),
  pace: parsed("P", "speed of the platform: 60 is sixty times as fast, 0 completes at once (1)", parsePace),
  publicUrl: parsed("URL", "base of upload addresses (the address listened on)", parsePublicUrl),
  controlsPort: integer("N", ports, "port of the test controls on loopback, 0 for a free one (off)"),
  adminPort: integer("N", ports, "port of /livez, /readyz and /metrics, 0 for a free one (off)"),
  adminHost: string("ADDRESS", "address of the admin port (127.0.0.1)"),
  drainSeconds: integer(
    "N",
    { least: 0, most: 3600 },
    "seconds to go on serving after SIGTERM, while /readyz is 503 (0)",
  ),
  uploadDir: string("DIR", "folder for image data (inside --data)", "folder"),
  log: oneOf("LEVEL", levels, `${levels.join(", ")}: JSON lines on stderr (info)`),
  logRequests: flag("log a line for each request (off)"),
  slowMs: integer("N", { least: 0, most: 999_999_999 }, "log requests and statements that take N milliseconds (off)"),
  generalLimit: integer("N", counts, "requests of a user per minute (no limit)"),
  acceptLoss: flag("open a store with a missing or damaged write-ahead log, with the remaining data (off)"),
  maxConnections: integer(
    "N",
    counts,
    "maximum of open connections; the client with the most loses one (10000, or 4/5 of the open file limit)",
  ),
  allowPrivateNameservers: flag("import domains also from private networks and this machine's addresses (off)"),
  site: string("DIR", "folder of a reference site, for /docs (a page that lists the operations)", "folder"),
  noDocs: flag("do not serve /openapi.json, /openapi.yaml and /docs (off)"),
};

/**
 * The variables that set options, such as `CLOUD_COMPUTE_PORT`. Files of variables have empty ones for missing values. A secret may be in a file,
 * which `CLOUD_COMPUTE_TOKEN_FILE` or `CLOUD_COMPUTE_DATABASE_URL_FILE` names, for example.
 *
 * @throws UsageError for a secret that is set twice, or whose file cannot be read
 */
export function readVariable(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const variable = `CLOUD_COMPUTE_${name.replaceAll("-", "_").toUpperCase()}`;
  const value = environment[variable] || undefined;
  const file = secrets.has(name) ? environment[`${variable}_FILE`] || undefined : undefined;
  if (file === undefined) return value;
  if (value !== undefined) throw new UsageError(`Set ${variable} or ${variable}_FILE, not both.`);
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    throw new UsageError(`${variable}_FILE cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const secrets: ReadonlySet<string> = new Set(["TOKEN", "database-url", "from", "to"]);

function parsePace(value: string, name: string): number {
  const number = Number(value);
  if (value.trim() !== "" && Number.isFinite(number) && number >= 0) return number;
  throw new UsageError(`${name} is a number from 0 on, not ${JSON.stringify(value)}.`);
}

function parsePublicUrl(value: string, name: string): string {
  if (/^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : "")) return value.replace(/\/+$/, "");
  throw new UsageError(`${name} is an http(s) URL, not ${JSON.stringify(value)}.`);
}

export function isDatabaseUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//.test(value);
}

function parseDatabaseUrl(value: string, name: string): string {
  if (isDatabaseUrl(value)) return value;
  throw new UsageError(`${name} begins with postgres://, and ${JSON.stringify(value)} does not.`);
}
