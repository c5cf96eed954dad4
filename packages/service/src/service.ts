import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { limits } from "@cloud-compute/server";
import { nodeListener, protectServer } from "@cloud-compute/server/node";
import { pino, destination, type Logger } from "pino";
import { adminServer } from "./admin/admin-server.js";
import { watch, type ServiceObservers, type Watching } from "./admin/watching.js";
import { bootstrap } from "./bootstrap.js";
import type { Controls } from "./controls/context.js";
import { controlsOf } from "./controls/index.js";
import { jobs as handlers } from "./features/index.js";
import { nodeListener as controlsListener } from "./gen/node.js";
import type { Options } from "./options.js";
import { clockOf, type Clock } from "./platform/clock.js";
import { Jobs } from "./platform/jobs.js";
import { apiOf } from "./server/api.js";
import { withDocs } from "./server/docs.js";
import { ResponseWithHeaders } from "./server/headers.js";
import { restoreRateCounts } from "./server/limits.js";
import { listen, type ListeningServer } from "./server/listening.js";
import { onlyFromThisMachine } from "./server/same-machine.js";
import { privateFolder } from "./store/private-files.js";
import type { ObserveStatement } from "./store/statements.js";
import type { Store } from "./store/store.js";
import type { Transaction } from "./store/transaction.js";
import { UnitOfWork, type Platform, type UnitOfWorkRunner } from "./unit-of-work.js";

/** A running service. */
export interface Service {
  /** The base URL of the API, such as `http://127.0.0.1:8080/v4`. */
  readonly url: string;
  readonly controls: string | null;
  /** The address of `/livez`, `/readyz` and `/metrics`. */
  readonly admin: string | null;
  /** The token of the first user if this start created it, else null. */
  readonly token: string | null;
  /** Is not ready any more, goes on for the seconds of `--drain-seconds`, stops accepting requests, finishes those in flight within 10 seconds, and closes the store. */
  close(): Promise<void>;
}

/** Starts the service, with observers of your own if you like. If the store or a port is not available, it rejects and leaves nothing open. */
export async function startService(options: Options, observers: ServiceObservers = {}): Promise<Service> {
  const log = pino(
    { level: options.log, redact: { paths: valuesInLogs, remove: true } },
    destination({ fd: 2, sync: false }),
  );
  const watching = await watch(options, log, observers);
  const store = await openStore(options, log, watching.observeStatement);
  const closing: (() => Promise<void> | void)[] = [() => store.close()];
  const close = async (): Promise<void> => {
    for (const each of closing.splice(0).toReversed()) await each();
  };
  try {
    return await startServers({ options, log, watching, store, closing, close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** What log entries could have of a request's values: the work of a job, and how PostgreSQL explains an error. */
const valuesInLogs = ["job.data", "err.detail", "err.where", "err.internalQuery"];

interface StartContext {
  readonly options: Options;
  readonly log: Logger;
  readonly watching: Watching;
  readonly store: Store;
  readonly closing: (() => Promise<void> | void)[];
  readonly close: () => Promise<void>;
}

async function startServers(context: StartContext): Promise<Service> {
  const { options, log, watching, store, closing, close } = context;
  const clock = await clockOf(store);
  const token = await bootstrap(store, { token: options.token, now: clock.now() });
  await restoreRateCounts(store, clock.now());
  let isDraining = false;
  const admin = await startAdmin(context, clock, () => isDraining);
  let address = "";
  const runners = createRunners(context, clock, {
    pace: options.pace,
    uploadFolder: uploadFolder(context),
    publicUrl: () => options.publicUrl ?? address,
    allowsLoopback: options.controlsPort !== undefined,
    allowsPrivate: options.allowPrivateNameservers,
  });
  closing.push(() => runners.jobs.close());
  const servers: ListeningServer[] = [];
  // All servers stop accepting at once, so that a slow test control does not keep the API open.
  closing.push(async () => void (await Promise.all(servers.map((each) => each.close()))));
  const startListening = async (server: http.Server, host: string, port: number): Promise<string> => {
    const listening = await listen(server, { host, port });
    servers.push(listening);
    return listening.address;
  };
  const parts = { store, clock, log, ...runners };
  address = await startListening(apiServer(parts, options, watching), options.host, options.port);
  const { controlsPort: port } = options;
  const controls = port === undefined ? null : await startListening(controlsServer(parts), "127.0.0.1", port);
  await runners.jobs.retryGivenUp();
  runners.jobs.wake();
  const data = options.databaseUrl === undefined ? options.data : "postgres";
  log.info({ url: address, controls, ...(admin === null ? {} : { admin }), data }, "ready");
  return {
    url: `${address}/v4`,
    controls,
    admin,
    token,
    close: async () => {
      isDraining = true;
      if (options.drainSeconds > 0) await setTimeout(options.drainSeconds * 1000);
      await close();
    },
  };
}

/** Listens on the admin port. It closes after the other servers, so that the service is seen to stop. */
async function startAdmin(
  { options, watching: { metrics }, store, closing }: StartContext,
  clock: Clock,
  isDraining: () => boolean,
): Promise<string | null> {
  const { adminPort: port, adminHost: host } = options;
  if (metrics === undefined || port === undefined) return null;
  const listening = await listen(adminServer({ store, clock, metrics, isDraining }), { host, port });
  closing.push(() => listening.close());
  return listening.address;
}

/** Transactions plan jobs, and jobs run transactions. */
function createRunners(
  { store, log, watching: { metrics } }: StartContext,
  clock: Clock,
  settings: Omit<Platform, "read" | "write">,
): Pick<Controls, "platform" | "works" | "jobs"> {
  const platform: Platform = {
    ...settings,
    read: (account, run) => works.read({ account, now: clock.now() }, run),
    write: (account, run) => works.write({ account, now: clock.now() }, run),
  };
  const workOf = (tx: Transaction): UnitOfWork => new UnitOfWork(tx, platform);
  const works: UnitOfWorkRunner = {
    read: (scope, run) => store.read(scope, (tx) => run(workOf(tx))),
    write: async (scope, run) => {
      let last: UnitOfWork | undefined;
      const result = await store.write(scope, (tx) => run((last = workOf(tx))));
      if (last?.hasPlanned === true) jobs.wake();
      return result;
    },
  };
  const jobs = new Jobs({ store, clock, handlers, log, onOutcome: metrics?.onJob, workOf });
  store.onNotice(
    () =>
      void clock.refresh().then(
        () => jobs.wake(),
        (error: unknown) => log.warn({ err: error }, "the clock could not be read"),
      ),
  );
  return { platform, works, jobs };
}

function apiServer(
  parts: Controls,
  { generalLimit, docs, site, maxConnections }: Options,
  { observe }: Watching,
): http.Server {
  const api = apiOf({ ...parts, generalLimit, observe });
  const server = http.createServer(
    // An upload may take as long as its address is valid. The server limits other bodies to a minute, and Node limits heads to a minute.
    { requestTimeout: limits.imageDataSize.windowSeconds * 1000, ServerResponse: ResponseWithHeaders },
    nodeListener(docs ? withDocs(api, site) : api),
  );
  return protectServer(server, api, maxConnections === undefined ? {} : { maxConnections });
}

function controlsServer(parts: Controls): http.Server {
  const controls = controlsOf(parts);
  return protectServer(http.createServer(onlyFromThisMachine(controlsListener(controls))), controls);
}

async function openStore(
  { data, databaseUrl, databaseConnections, acceptLoss }: Options,
  log: Logger,
  observeStatement: ObserveStatement | undefined,
): Promise<Store> {
  if (databaseUrl === undefined) {
    if (data !== ":memory:") createFolder(data, log);
    const { openSqlite } = await import("./store/sqlite.js");
    const warn = (loss: Error): void => log.warn({ err: loss }, "acknowledged writes may be lost");
    return openSqlite(data, { acceptLoss: acceptLoss ? warn : undefined, observeStatement });
  }
  const { openPostgres } = await import("./store/postgres.js");
  return openPostgres(databaseUrl, {
    connections: databaseConnections,
    observeStatement,
    onMissingIndexes: (reason) =>
      log.warn(
        { err: reason },
        "filters with +contains take longer without the extension pg_trgm; install it, and restart",
      ),
  });
}

function uploadFolder({
  options: { uploadDir, data },
  log,
  closing,
}: Pick<StartContext, "options" | "log" | "closing">): string {
  if (uploadDir === undefined && data === ":memory:") {
    const folder = mkdtempSync(join(tmpdir(), "cloud-compute-"));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }
  const folder = uploadDir ?? join(data, "uploads");
  createFolder(folder, log);
  return folder;
}

/** The folder contains tokens and codes. The user decides who else may read it, and the log warns about that. */
function createFolder(folder: string, log: Logger): void {
  const others = privateFolder(folder);
  if (others !== 0)
    log.warn(
      { folder, mode: (0o700 | others).toString(8) },
      "other users of this machine have permissions on the folder; `chmod 700` takes them away",
    );
}
