import { homedir } from "node:os";
import { join } from "node:path";
import { parseArguments, UsageError } from "@plumbline/command-line";
import { readVariable, serveOptions, type Level } from "./serve-options.js";

/** Options of the service. */
export interface Options {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly databaseUrl: string | undefined;
  /** Connections to PostgreSQL at most, without the one for notices. Default: 16. */
  readonly databaseConnections: number | undefined;
  readonly pace: number;
  readonly publicUrl: string | undefined;
  readonly controlsPort: number | undefined;
  /** The port of `/livez`, `/readyz` and `/metrics`. Default: none. */
  readonly adminPort: number | undefined;
  readonly adminHost: string;
  /** Seconds for which the service goes on after SIGTERM, while it is not ready. Default: 0. */
  readonly drainSeconds: number;
  readonly uploadDir: string | undefined;
  readonly log: Level;
  readonly logRequests: boolean;
  /** Milliseconds from which a request or a statement is slow. Default: none is. */
  readonly slowMs: number | undefined;
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

/** Maximum number of characters of a token. Generated tokens have 64. */
export const maxTokenCharacters = 1024;

/**
 * Reads options from the arguments, then from the environment.
 *
 * @throws UsageError when an option is invalid
 */
export function optionsOf(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): Options {
  const values = parseArguments(serveOptions, args, (name) => readVariable(name, environment));
  const token = readVariable("TOKEN", environment);
  if (token !== undefined && token.length < 32)
    throw new UsageError("CLOUD_COMPUTE_TOKEN must have at least 32 characters.");
  if (token !== undefined && token.length > maxTokenCharacters)
    throw new UsageError(`CLOUD_COMPUTE_TOKEN must have at most ${maxTokenCharacters} characters.`);
  return {
    ...values,
    host: values.host ?? "127.0.0.1",
    port: values.port ?? 8080,
    adminHost: values.adminHost ?? "127.0.0.1",
    drainSeconds: values.drainSeconds ?? 0,
    data: values.data ?? defaultDataFolder(environment),
    pace: values.pace ?? 1,
    log: values.log ?? "info",
    docs: !values.noDocs,
    token,
  };
}

/** The folder of a user for all data. */
export function defaultDataFolder(environment: Readonly<Record<string, string | undefined>>): string {
  return join(environment["XDG_DATA_HOME"] ?? join(homedir(), ".local", "share"), "cloud-compute");
}
