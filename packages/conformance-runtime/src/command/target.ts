import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { formatSuggestion, string, UsageError, type Option, type OptionValues } from "@plumbline/command-line";
import type { RunCredentials } from "../results.js";
import type { Suite } from "../suite.js";
import { otherCallers } from "../values/callers.js";
import { formatError } from "../values/format-error.js";
import { isObject } from "../values/json.js";
import type { CommandIo } from "./io.js";

/** The server and the credentials of a run. */
export interface RunTarget {
  readonly url: string;
  readonly controls: string | undefined;
  readonly credentials: RunCredentials;
  /** The profile file, if one was used. */
  readonly profile: string | undefined;
}

/** The options of commands that send requests. */
export const targetOptions: Readonly<Record<"url" | "token" | "profile" | "controls", Option<string | undefined>>> = {
  url: string(
    "URL",
    "address of the API with its base path. Default: CONFORMANCE_URL, else the first server of the description",
  ),
  token: string(
    "TOKEN",
    "token of a user who may do most. Default: CONFORMANCE_TOKEN, which process lists do not show",
  ),
  profile: string(
    "FILE",
    'JSON {"url", "controls", "main", "otherAccount"}: the last two are tokens of two accounts',
    "file",
  ),
  controls: string(
    "URL",
    "address of the server's test controls: they create users for each worker and advance the clock",
  ),
};

/** Precedence: options, profile, environment, description. */
export function readTarget(values: OptionValues<typeof targetOptions>, suite: Suite, io: CommandIo): RunTarget {
  const file = values.profile;
  const labels = otherCallers(suite.callers ?? {});
  const profile: Profile =
    file === undefined ? {} : readProfile(resolve(io.cwd(), file), { displayPath: file, labels });
  const url = values.url ?? profile.url ?? readEnvironment("CONFORMANCE_URL", io) ?? suite.servers[0];
  if (url === undefined) throw new UsageError("Missing server. Pass its address with --url, or as CONFORMANCE_URL.");
  const controls = values.controls ?? profile.controls;
  const { otherAccount, callers, tokens } = profile;
  const main = values.token ?? profile.main ?? readEnvironment("CONFORMANCE_TOKEN", io);
  return {
    url: parseAddress(url, "--url"),
    controls: controls === undefined ? undefined : parseAddress(controls, "--controls"),
    credentials: { main, otherAccount, callers, tokens },
    profile: file,
  };
}

/** @throws UsageError when the run has no token and the suite has more than public operations. */
export function requireCredentials({ credentials, controls }: RunTarget, suite: Suite): void {
  if (credentials.main !== undefined || (controls !== undefined && suite.actors.user !== undefined)) return;
  if (Object.values(suite.operations).every((each) => each.public === true)) return;
  const orControls = suite.actors.user === undefined ? "" : ", or --controls URL of a server with test controls";
  throw new UsageError(`Missing token. Pass --token, CONFORMANCE_TOKEN or --profile FILE${orControls}.`);
}

interface Profile extends RunCredentials {
  readonly url?: string;
  readonly controls?: string;
}

/** Reads a profile. The tokens of callers have their labels as keys. */
function readProfile(
  path: string,
  { displayPath, labels }: { readonly displayPath: string; readonly labels: readonly string[] },
): Profile {
  const data = readJson(path, `--profile ${displayPath}`);
  if (!isObject(data)) {
    throw new UsageError(`--profile ${displayPath} is not a JSON object. Write {"url": "…", "main": "TOKEN"}.`);
  }
  const keys: ReadonlySet<string> = new Set(["url", "controls", "main", "otherAccount", ...labels, "tokens"]);
  for (const [key, value] of Object.entries(data)) {
    if (!keys.has(key)) {
      throw new UsageError(
        `--profile ${displayPath}: unknown key ${JSON.stringify(key)}.${formatSuggestion(key, keys)} Allowed keys: ${[...keys].join(", ")}.`,
      );
    }
    if ((key === "main" || key === "otherAccount") && isTokens(value)) continue;
    if (key === "tokens") {
      if (isScopedTokens(value)) continue;
      throw new UsageError(
        `--profile ${displayPath}: "tokens" is not a list of tokens with scopes. Write [{"token": "TOKEN", "scopes": "books:read"}].`,
      );
    }
    if (typeof value !== "string" || value === "") {
      throw new UsageError(
        `--profile ${displayPath}: ${JSON.stringify(key)} is not a string. Write it in quotes, or remove it.`,
      );
    }
  }
  const callers = Object.fromEntries(
    labels.flatMap((label) => (typeof data[label] === "string" ? [[label, data[label]]] : [])),
  );
  return { ...data, callers };
}

/** One token for each security scheme, by the name of the scheme. */
function isTokens(value: unknown): boolean {
  if (!isObject(value)) return false;
  const tokens = Object.values(value);
  return tokens.length > 0 && tokens.every((each) => typeof each === "string" && each !== "");
}

function isScopedTokens(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.every(
    (each: unknown) => isObject(each) && typeof each["token"] === "string" && typeof each["scopes"] === "string",
  );
}

/** Reads a JSON file. Messages name it as `shown`. */
export function readJson(path: string, displayPath: string): unknown {
  let json: string;
  try {
    json = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${displayPath} cannot be read: ${formatError(error)}`, { cause: error });
  }
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${displayPath} is not valid JSON: ${formatError(error)}`, { cause: error });
  }
}

function readEnvironment(name: string, { env }: CommandIo): string | undefined {
  const value = env[name];
  return value === "" ? undefined : value;
}

function parseAddress(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `${option} ${JSON.stringify(text)} is not a server address. Write a complete URL, such as http://127.0.0.1:8080/v4.`,
    );
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new UsageError(
      `${option} ${JSON.stringify(text)} has more than scheme, host, port and path. Remove the rest.`,
    );
  }
  return text.replace(/\/+$/, "");
}
