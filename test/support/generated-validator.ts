import { mkdir, symlink } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import type { expressValidator } from "@plumbline/server-runtime/validator/express";
import type { fastifyValidator } from "@plumbline/server-runtime/validator/fastify";
import type { fetchValidator } from "@plumbline/server-runtime/validator/fetch";
import type { honoValidator } from "@plumbline/server-runtime/validator/hono";
import type { nodeValidator } from "@plumbline/server-runtime/validator/node";
import express, { type NextFunction, type Request as ExpressRequest, type Response as ExpressResponse } from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { scriptOf } from "./examples.js";
import { listen } from "./hosts.js";
import { place } from "./pets.js";
import { repository } from "./places.js";

type Validator<Create extends (...args: never[]) => unknown> = (options?: object) => ReturnType<Create>;

/** The adapters of a generated validator. */
export interface ValidatorAdapters {
  readonly node: Validator<typeof nodeValidator>;
  readonly express: Validator<typeof expressValidator>;
  readonly fastify: Validator<typeof fastifyValidator>;
  readonly hono: Validator<typeof honoValidator>;
  readonly fetch: Validator<typeof fetchValidator>;
}

/** Loads what a module of a generated package exports, such as `gen/ajv`. */
export type LoadModule = (name: string) => Promise<Readonly<Record<string, unknown>>>;

/** Writes the modules of a generated package into a folder, beside the packages of the repository. */
export async function placeScripts(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly load: LoadModule; readonly adapters: ValidatorAdapters }> {
  const scripts = Object.entries(files).filter(([name]) => name.endsWith(".ts"));
  await place(folder, {
    "package.json": '{"type":"module"}',
    ...Object.fromEntries(scripts.map(([name, text]) => [name.replace(/\.ts$/, ".js"), scriptOf(text)])),
  });
  await mkdir(path.join(folder, "node_modules"));
  await symlink(path.join(repository, "node_modules", "@plumbline"), path.join(folder, "node_modules", "@plumbline"));
  const load: LoadModule = async (name) =>
    (await import(pathToFileURL(path.join(folder, "src", `${name}.js`)).href)) as Readonly<Record<string, unknown>>;
  const adapters = ["node", "express", "fastify", "hono", "fetch"].map(
    async (name) => [name, (await load(`gen/${name}`))["validator"]] as const,
  );
  return { load, adapters: Object.fromEntries(await Promise.all(adapters)) as unknown as ValidatorAdapters };
}

/** Starts a server. Resolves with its port, and stops it when the test ends. */
export type StartServer = (options: object) => Promise<number>;

/** Each kind of server, with a handler that responds to everything with what `respond` returns for the request, or for Hono's context. */
export function validatedServers(
  adapters: () => ValidatorAdapters,
  respond: (request: object) => object | Promise<object>,
): Readonly<Record<keyof ValidatorAdapters, StartServer>> {
  return {
    node: async (options) => {
      const validate = adapters().node(options);
      return portOf(
        listen((request, response) =>
          validate(request, response, (error) => {
            const result = error === undefined ? respond(request) : { error: messageOf(error) };
            void Promise.resolve(result).then((body) => {
              response.writeHead(error === undefined ? 200 : 500, { "content-type": "application/json" });
              response.end(JSON.stringify(body));
            });
          }),
        ),
      );
    },
    express: async (options) => {
      const app = express();
      app.use(adapters().express(options));
      app.use((request: ExpressRequest, response: ExpressResponse, next: NextFunction) => {
        Promise.resolve(respond(request)).then((body) => response.json(body), next);
      });
      app.use((error: Error, _: ExpressRequest, response: ExpressResponse, __: NextFunction) => {
        response.status(500).json({ error: messageOf(error) });
      });
      return portOf(listen(app));
    },
    fastify: async (options) => {
      const app = fastify();
      await app.register(adapters().fastify(options));
      app.all("/*", async (request, reply) => reply.send(await respond(request)));
      app.setErrorHandler((error, _, reply) => reply.status(500).send({ error: messageOf(error) }));
      await app.listen({ port: 0, host: "127.0.0.1" });
      onTestFinished(async () => {
        app.server.closeAllConnections();
        await app.close();
      });
      return (app.server.address() as AddressInfo).port;
    },
    hono: async (options) => {
      const app = new Hono();
      app.use(adapters().hono(options));
      app.all("*", async (context) => context.json(await respond(context)));
      app.onError((error, context) => context.json({ error: messageOf(error) }, 500));
      return portOf(listen((request, response) => void getRequestListener(app.fetch)(request, response)));
    },
    fetch: async (options) => {
      const handle = adapters().fetch(options)(async (request) => Response.json(await respond(request)));
      const caught = async (request: Request): Promise<Response> => {
        try {
          return await handle(request);
        } catch (error) {
          return Response.json({ error: messageOf(error) }, { status: 500 });
        }
      };
      return portOf(listen((request, response) => void getRequestListener(caught)(request, response)));
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : "another value";
}

/** Resolves with the port of a server, and stops it when the test ends. */
export async function portOf(listening: ReturnType<typeof listen>): Promise<number> {
  const { port, close } = await listening;
  onTestFinished(close);
  return port;
}
