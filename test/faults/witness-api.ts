import type { RunningService } from "./services.js";

type Body = Readonly<Record<string, unknown>>;

/** Requests of a user to a service and to its test controls. Every response has to be a success, except for `statusOf`. */
export interface WitnessApi {
  readonly get: (path: string) => Promise<Body>;
  /** The items of the first page. */
  readonly list: (path: string) => Promise<readonly Body[]>;
  readonly statusOf: (path: string) => Promise<number>;
  readonly post: (path: string, body?: object) => Promise<Body>;
  readonly put: (path: string, body: object) => Promise<Body>;
  readonly remove: (path: string) => Promise<Body>;
  readonly controlGet: (path: string) => Promise<Body>;
  readonly control: (path: string, body?: object) => Promise<Body>;
  readonly controlPut: (path: string, body: object) => Promise<Body>;
  /** Waits until no job is pending. */
  readonly settle: () => Promise<unknown>;
  /** Requests of a new user. */
  readonly user: (username: string, fields: object) => Promise<WitnessApi>;
  /** Requests of the first user with a new token. */
  readonly token: (fields: object) => Promise<WitnessApi>;
}

export function witnessApi(service: Pick<RunningService, "url" | "controls" | "token">): WitnessApi {
  const { url, controls, token } = service;
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${url}${path}`, { ...requestOf(method, body), headers: { ...json, Authorization: `Bearer ${token}` } });
  const control = async (method: string, path: string, body?: object): Promise<Body> =>
    successOf(await fetch(`${controls}${path}`, { ...requestOf(method, body), headers: json }), `${method} ${path}`);
  const ask = async (method: string, path: string, body?: object): Promise<Body> =>
    successOf(await send(method, path, body), `${method} ${path}`);
  const withToken = async (username: string, fields: object): Promise<WitnessApi> => {
    const created = await control("POST", `/users/${username}/tokens`, fields);
    return witnessApi({ ...service, token: String(created["token"]) });
  };
  return {
    get: (path) => ask("GET", path),
    list: async (path) => (await ask("GET", path))["data"] as readonly Body[],
    statusOf: async (path) => (await send("GET", path)).status,
    post: (path, body) => ask("POST", path, body),
    put: (path, body) => ask("PUT", path, body),
    remove: (path) => ask("DELETE", path),
    controlGet: (path) => control("GET", path),
    control: (path, body) => control("POST", path, body),
    controlPut: (path, body) => control("PUT", path, body),
    settle: () => control("POST", "/settle"),
    user: async (username, fields) => {
      await control("POST", "/users", { username, ...fields });
      return withToken(username, {});
    },
    token: (fields) => withToken("admin", fields),
  };
}

/** A part of a body that is an object. */
export function bodyOf(value: unknown): Body {
  return value as Body;
}

const json = { "Content-Type": "application/json" };

function requestOf(method: string, body: object | undefined): RequestInit {
  return { method, ...(method === "GET" || method === "DELETE" ? {} : { body: JSON.stringify(body ?? {}) }) };
}

async function successOf(response: Response, request: string): Promise<Body> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${request} was rejected with ${response.status}: ${text}`);
  return text === "" ? {} : (JSON.parse(text) as Body);
}
