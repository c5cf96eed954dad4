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
 * import { withControls } from "@plumbline/mock-runtime/controls";
 *
 * const respond = withControls(mock);
 * await respond(new Request("http://127.0.0.1/_mock/reset", { method: "POST" }));
 * ```
 */
export function withControls<Handlers>(mock: Mock<Handlers>): (request: Request) => Promise<Response> {
  const routes = controlRoutes(mock).map(compileRoute);
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== controlsPath && !pathname.startsWith(`${controlsPath}/`)) return mock.fetch(request);
    const rejection = rejectWebPages(request);
    if (rejection !== undefined) return rejection;
    try {
      return await respond(request, pathname.slice(controlsPath.length), routes);
    } catch (error) {
      if (error instanceof ControlError) return problemResponse(error.status, error.message, error.errors);
      throw error;
    }
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

async function respond(request: Request, path: string, routes: readonly CompiledRoute[]): Promise<Response> {
  const matching = routes.filter(({ expression }) => expression.test(path));
  if (matching.length === 0) {
    const known = routes.map(({ route }) => route).join(", ");
    throw new ControlError(404, `There is no control "${path}". There are: ${known}.`);
  }
  const route = matching.find(({ method }) => method === request.method);
  if (route === undefined) {
    const allow = matching.map(({ method }) => method).join(", ");
    const response = problemResponse(405, `${request.method} is not a method of "${path}". It has: ${allow}.`);
    response.headers.set("Allow", allow);
    return response;
  }
  const body = await readControlBody(request, route.fields);
  const [status, content] = route.run({
    path: pathValues(route, path),
    query: new URL(request.url).searchParams,
    body,
  });
  return content === undefined ? new Response(null, { status }) : Response.json(content, { status });
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
