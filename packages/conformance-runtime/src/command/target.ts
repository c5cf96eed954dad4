import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Credentials } from "../results.js";
import type { Suite } from "../suite.js";
import type { CommandIo } from "./io.js";
import type { Given, OptionNames } from "./options.js";
import { UsageError, didYouMean } from "./usage.js";

/** The server, and who asks it. */
export interface Target {
  readonly url: string;
  readonly controls?: string;
  readonly credentials: Credentials;
  /** The file that some of it came from. */
  readonly profile?: string;
}

export const targetOptions: OptionNames = { url: "text", token: "text", profile: "text", controls: "text" };

/** What options say counts first, then the profile, then the environment, then the description. */
export function targetOf(given: Given, suite: Suite, io: CommandIo): Target {
  const file = given.text("profile");
  const profile = file === undefined ? {} : readProfile(resolve(io.cwd(), file), file);
  const url = given.text("url") ?? profile.url ?? fromEnvironment("CONFORMANCE_URL", io) ?? suite.servers[0];
  if (url === undefined)
    throw new UsageError("There is no server. Give its address with --url, or as CONFORMANCE_URL.");
  const controls = given.text("controls") ?? profile.controls;
  const main = given.text("token") ?? profile.main ?? fromEnvironment("CONFORMANCE_TOKEN", io);
  return {
    url: address(url, "--url"),
    ...(controls === undefined ? {} : { controls: address(controls, "--controls") }),
    credentials: {
      ...(main === undefined ? {} : { main }),
      ...(profile.stranger === undefined ? {} : { stranger: profile.stranger }),
    },
    ...(file === undefined ? {} : { profile: file }),
  };
}

/** Throws when nobody could ask for anything but what is public. */
export function requireCredentials({ credentials, controls }: Target, suite: Suite): void {
  if (credentials.main !== undefined || (controls !== undefined && suite.actors.user !== undefined)) return;
  if (Object.values(suite.operations).every((each) => each.public === true)) return;
  const orControls = suite.actors.user === undefined ? "" : ", or --controls URL of a server with test controls";
  throw new UsageError(`There is no token. Give --token, CONFORMANCE_TOKEN or --profile FILE${orControls}.`);
}

interface Profile extends Credentials {
  readonly url?: string;
  readonly controls?: string;
}

const profileKeys: readonly (keyof Profile)[] = ["url", "controls", "main", "stranger"];

function readProfile(path: string, shown: string): Profile {
  const data = readJson(path, `--profile ${shown}`);
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw new UsageError(`--profile ${shown} is no JSON object. Write {"url": "…", "main": "TOKEN"}.`);
  }
  const known: ReadonlySet<string> = new Set(profileKeys);
  for (const [key, value] of Object.entries(data)) {
    if (!known.has(key)) {
      throw new UsageError(
        `--profile ${shown}: there is no ${JSON.stringify(key)}.${didYouMean(key, known)} It may have ${profileKeys.join(", ")}.`,
      );
    }
    if ((key === "main" || key === "stranger") && isTokens(value)) continue;
    if (typeof value !== "string" || value === "") {
      throw new UsageError(
        `--profile ${shown}: ${JSON.stringify(key)} is no text. Write it in quotes, or leave it out.`,
      );
    }
  }
  return data;
}

/** A token for each security scheme, by its name. */
function isTokens(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const tokens = Object.values(value);
  return tokens.length > 0 && tokens.every((each) => typeof each === "string" && each !== "");
}

/** The JSON in a file; `shown` is how the user named it. */
export function readJson(path: string, shown: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${shown} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${shown} is no JSON: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function fromEnvironment(name: string, { env }: CommandIo): string | undefined {
  const value = env[name];
  return value === "" ? undefined : value;
}

function address(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `${option} ${JSON.stringify(text)} is no address of a server. Write it whole, such as http://127.0.0.1:8080/v4.`,
    );
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new UsageError(
      `${option} ${JSON.stringify(text)} has more than scheme, host, port and path. Leave the rest out.`,
    );
  }
  return text.replace(/\/+$/, "");
}
