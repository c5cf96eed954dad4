import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, isApiError, type Client } from "@cloud-compute/client";
import { inject, onTestFinished } from "vitest";
import { borrowService } from "./idle-services.support.js";
import { optionsOf } from "./options.js";
import { recordResponses } from "./recorded-responses.support.js";
import { startService, type Service } from "./service.js";
import { sharedPostgres } from "./store/postgres.support.js";
import * as controls from "./testing/index.js";

/** A service for one test, on free ports, with its store in memory, and clients for it. */
export interface World {
  readonly service: Service;
  /** The token of the first user. */
  readonly token: string;
  /** The first user, unrestricted, with all scopes. */
  readonly admin: Client;
  /** A client for the test controls. */
  readonly controls: controls.Client;
  as(token: string | undefined): Client;
  /** A client for a new user of the first account, or of another, with a token of these scopes. */
  user(
    username: string,
    given?: { readonly restricted?: boolean; readonly account?: string; readonly scopes?: string },
  ): Promise<Client>;
  /** Ends all transient states. */
  settle(): Promise<number>;
  /** Moves the clock by an ISO 8601 duration. */
  advance(by: string): Promise<void>;
}

/** Starts a service that ends with the test. Its platform needs no time, and jobs wait until the test runs them. */
export async function start(args: readonly string[] = []): Promise<World> {
  const token = "0123456789abcdef".repeat(4);
  const ports = ["--port", "0", "--controls-port", "0", "--log", "error"];
  const create = async (): Promise<Service> => {
    const own = args.some((each) => each === "--data" || each === "--database-url") ? [] : await aStore();
    return startService(optionsOf([...own, ...ports, ...args], { CLOUD_COMPUTE_TOKEN: token }));
  };
  const isPlain = args.length === 0 && inject("postgres") === undefined;
  const service = await (isPlain ? borrowService(create) : create());
  if (!isPlain) onTestFinished(() => service.close());
  const client = controls.createClient({ baseUrl: service.controls ?? "" });
  const as = (each: string | undefined): Client =>
    createClient({ baseUrl: service.url, ...recordResponses, ...(each === undefined ? {} : { token: each }) });
  return {
    service,
    token,
    admin: as(token),
    controls: client,
    as,
    user: async (username, { restricted = false, account, scopes = "*" } = {}) => {
      await controls.createUser(client, {
        body: { username, restricted, ...(account === undefined ? {} : { account }) },
      });
      const made = await controls.createUserToken(client, { path: { username }, body: { scopes } });
      return as(made.token);
    },
    settle: async () => (await controls.settle(client)).ran,
    advance: async (by) => {
      await controls.advanceClock(client, { body: { advance: by } });
    },
  };
}

/** Options for a store that outlives a service, so that another service can start on it. */
export async function durable(): Promise<string[]> {
  if (inject("postgres") !== undefined) return aStore();
  const folder = mkdtempSync(join(tmpdir(), "plumbline-service-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return ["--data", folder];
}

/** A store for one test: on PostgreSQL in the project for it, else in memory. */
async function aStore(): Promise<string[]> {
  if (inject("postgres") === undefined) return ["--data", ":memory:"];
  return ["--database-url", await sharedPostgres().database(), "--data", ":memory:"];
}

/** The status of a failed call, and its errors as `field: reason`. */
export async function failure(call: PromiseLike<unknown>): Promise<readonly [status: number, ...reasons: string[]]> {
  try {
    await call;
  } catch (error) {
    if (!isApiError(error) || error.status === undefined) throw error;
    const entries = error.errors ?? [];
    return [error.status, ...entries.map(({ field, reason }) => (field == null ? reason : `${field}: ${reason}`))];
  }
  throw new Error("the call did not fail");
}
