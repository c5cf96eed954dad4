import { fetchHandler } from "../../server/adapters/fetch/index.js";
import type { HttpRequest, HttpResponse, Server } from "../../server/index.js";
import type { Mock } from "../create-mock.js";
import { readControlBody } from "./control-body.js";
import { ControlError, problemResponse } from "./control-errors.js";
import type { ControlRoute } from "./control-route.js";
import { controlRoutes } from "./control-routes.js";
import { rejectWebPages } from "./same-machine.js";

export { isLoopbackName } from "./same-machine.js";

/** Where the controls begin. */
export const controlsPath = "/_mock";

/**
 * Adds controls to a mock, for tests that reach it over HTTP: `POST /_mock/reset`, `POST /_mock/clock` and others, which the README lists. They
 * require no token, so serve them on loopback only. Requests of web pages are rejected.
 *
 * @param mock - The mock.
 * @returns A function that responds to requests, as `mock.fetch` does: to those below `/_mock` by the controls, and to all others by the mock.
 * @example
 * ```js
 * import { withControls } from "./index.js";
 *
 * const respond = withControls(mock);
 * await respond(new Request("http://127.0.0.1/_mock/reset", { method: "POST" }));
 * ```
 */
export function withControls<Handlers>(mock: Mock<Handlers>): (request: Request) => Promise<Response> {
  return fetchHandler(serverWithControls(mock));
}

/**
 * Adds the controls of `withControls` to `mock.server`.
 *
 * @param mock - The mock.
 * @returns A server for every adapter. Let it listen on loopback only.
 * @example
 * ```js
 * http.createServer(nodeListener(serverWithControls(mock))).listen(4010, "127.0.0.1");
 * ```
 */
export function serverWithControls<Handlers>(mock: Mock<Handlers>): Server {
  const { server } = mock;
  const routes = controlRoutes(mock).map(compileRoute);

  const respondToControl = async (received: HttpRequest, path: string): Promise<HttpResponse> => {
    try {
      await received.ready();
      return rejectWebPages(received) ?? (await respond(received, path, routes));
    } catch (error) {
      if (error instanceof ControlError) return problemResponse(error.status, error.message, error.errors);
      return server.internalError(error, received);
    }
  };

  return {
    ...server,
    handle: (received) => {
      const [path = ""] = received.target.split(/[?#]/, 1);
      const isControl = path === controlsPath || path.startsWith(`${controlsPath}/`);
      return isControl ? respondToControl(received, path.slice(controlsPath.length)) : server.handle(received);
    },
  };
}

interface CompiledRoute extends ControlRoute {
  readonly method: string;
  readonly expression: RegExp;
}

function compileRoute(route: ControlRoute): CompiledRoute {
  const [method = "", template = ""] = route.route.split(" ");
  const expression = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return { ...route, method, expression };
}

async function respond(received: HttpRequest, path: string, routes: readonly CompiledRoute[]): Promise<HttpResponse> {
  const { method: sent, target } = received;
  const matching = routes.filter(({ expression }) => expression.test(path));
  if (matching.length === 0) {
    const controls = routes.map(({ route }) => route).join(", ");
    throw new ControlError(404, `There is no control "${path}". There are: ${controls}.`);
  }
  const route = matching.find(({ method }) => method === sent);
  if (route === undefined) {
    const allow = matching.map(({ method }) => method).join(", ");
    const response = problemResponse(405, `${sent} is not a method of "${path}". It has: ${allow}.`);
    return { ...response, headers: { ...response.headers, Allow: allow } };
  }
  const body = await readControlBody(received, route.fields);
  const [status, content] = route.run({
    path: pathValues(route, path),
    query: new URLSearchParams(target.split("?").slice(1).join("?")),
    body,
  });
  if (content === undefined) return { status, headers: {} };
  return { status, headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) };
}

function pathValues({ expression }: CompiledRoute, path: string): Readonly<Record<string, string>> {
  const groups = Object.entries(expression.exec(path)?.groups ?? {});
  return Object.fromEntries(groups.map(([name, value]) => [name, decode(value)] as const));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new ControlError(400, `"${value}" in the path is not percent-encoded UTF-8.`);
  }
}
