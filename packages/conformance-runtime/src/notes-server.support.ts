import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Defects that a test can switch on in the notes server. */
export interface NotesServerFaults {
  /** Responds with an undocumented field. */
  readonly extra?: boolean;
  /** Accepts titles of any length. */
  readonly anyTitleLength?: boolean;
  /** Responds without a title. */
  readonly untitled?: boolean;
  /** Responds 204 to a deletion, but keeps the note. */
  readonly ignoresDeletion?: boolean;
  /** The number of requests of a user after which the next gets a 429, until the clock advances. */
  readonly rate?: number;
  /** The window of the rate limit in seconds. */
  readonly window?: number;
  /** Milliseconds. The controls count them from 2026 on. Default: the clock of this process, and a clock of the controls that stands. */
  readonly now?: () => number;
  /** Closes the connection when a note is read. */
  readonly dropsConnection?: boolean;
  readonly retryAfter?: string;
  /** The status of the response to a creation. */
  readonly status?: number;
  readonly type?: string;
  readonly headerless?: boolean;
}

export interface NotesServer {
  readonly url: string;
  readonly controls: string;
  readonly notes: Map<number, Note>;
  readonly log: string[];
  readonly clock: { now: number };
  /** By account and name. A note creates the topics that it names; its deletion keeps them. */
  readonly topics: Set<string>;
  /** Every token that the server has issued. */
  readonly tokens: Map<string, NotesUser>;
}

export interface Note {
  readonly id: number;
  title: string;
  readonly account: string;
  state: "new" | "filed";
}

interface NotesUser {
  readonly username: string;
  readonly account: string;
  readonly limited: boolean;
  readonly scopes: string;
  requestCounts: number;
  times: number[];
}

/** A small API of notes with users and tokens, with test controls. */
export async function serveNotes(faults: NotesServerFaults = {}): Promise<NotesServer> {
  const notes = new Map<number, Note>();
  const tokens = new Map<string, NotesUser>([["main-token-0123456789", user("admin", "house")]]);
  const topics = new Set<string>();
  const log: string[] = [];
  const clock = { now: Date.parse("2026-01-01T00:00:00Z") };
  let ids = 0;
  let held = false;

  const api = await listen(async (request, response) => {
    const { method = "", url = "" } = request;
    log.push(`${method} ${url}`);
    const caller = tokens.get((request.headers.authorization ?? "").replace(/^Bearer /, ""));
    if (caller === undefined) return respondWithError(response, 401, "Invalid token");
    if (faults.window !== undefined && method === "POST") {
      const { window, now = () => performance.now() } = faults;
      caller.times = caller.times.filter((each) => each > now() - window * 1000);
      caller.requestCounts = caller.times.push(now()) - 1;
    }
    if (faults.rate !== undefined && method === "POST" && ++caller.requestCounts > faults.rate)
      return respond(response, 429, { errors: [{ reason: "Too many" }] }, { "retry-after": faults.retryAfter ?? "30" });
    const path = url.replace(/\?.*$/, "");
    const own = [...notes.values()].filter((each) => each.account === caller.account);
    if (path === "/v1/notes" && method === "GET") {
      const page = Number(new URL(url, "http://x").searchParams.get("page") ?? 1);
      const pages = Math.max(1, Math.ceil(own.length / 2));
      return respond(response, 200, { data: own.slice(page * 2 - 2, page * 2).map(shown), page, pages });
    }
    if (path === "/v1/notes" && method === "POST") {
      const body = JSON.parse(await read(request)) as { title?: unknown; topics?: string[] };
      if (caller.scopes !== "*") return respondWithError(response, 401, "Scope");
      if (typeof body.title !== "string" || (body.title.length > 32 && faults.anyTitleLength !== true))
        return respondWithError(response, 400, "Must be 1-32 characters", "title");
      const note: Note = { id: ++ids, title: body.title, account: caller.account, state: "new" };
      notes.set(note.id, note);
      for (const topic of body.topics ?? []) topics.add(`${caller.account} ${topic}`);
      if (!held) note.state = "filed";
      const type = faults.type ?? "application/json";
      response.writeHead(faults.status ?? 200, {
        "content-type": type,
        ...(faults.headerless === true ? {} : { "x-request-id": "r1" }),
      });
      return void response.end(JSON.stringify(shown(note)));
    }
    if (path === "/v1/topics") {
      const names = [...topics].map((each) => each.split(" ")).filter(([account]) => account === caller.account);
      return respond(response, 200, { data: names.map(([, label]) => ({ label })) });
    }
    const topic = /^\/v1\/topics\/(.+)$/.exec(path)?.[1];
    if (topic !== undefined)
      return respond(response, topics.delete(`${caller.account} ${topic}`) ? 204 : 404, undefined);
    const note = notes.get(Number(/^\/v1\/notes\/(\d+)$/.exec(path)?.[1]));
    if (note === undefined || note.account !== caller.account) return respondWithError(response, 404, "Not found");
    if (method === "DELETE") {
      if (faults.ignoresDeletion !== true) notes.delete(note.id);
      return respond(response, 204, undefined);
    }
    if (faults.dropsConnection === true) return void request.socket.destroy();
    return respond(response, 200, shown(note));
  });

  const controls = await listen(async (request, response) => {
    const text = await read(request);
    log.push(`controls ${request.method ?? ""} ${request.url ?? ""}`);
    const body = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
    if (request.url === "/users") {
      const token = `token-of-${String(body["username"])}-${"0".repeat(16)}`;
      if (tokens.has(token)) return respondWithError(response, 400, "There is a user of this name");
      const made = user(String(body["username"]), String(body["account"]));
      tokens.set(token, { ...made, limited: body["limited"] === true, scopes: String(body["scopes"]) });
      return respond(response, 201, { username: body["username"], token });
    }
    if (request.url === "/clock") {
      if (typeof body["advance"] === "string") {
        clock.now += Number(/\d+/.exec(body["advance"])?.[0]) * 1000;
        for (const each of tokens.values()) each.requestCounts = 0;
      }
      return respond(response, 200, { now: new Date(clock.now + (faults.now?.() ?? 0)).toISOString() });
    }
    if (request.url === "/hold") held = body["hold"] === true;
    if (!held) for (const each of notes.values()) each.state = "filed";
    return respond(response, 200, {});
  });

  return { url: `${api}/v1`, controls, notes, topics, log, clock, tokens };

  function shown(note: Note): object {
    const body = { id: note.id, state: note.state, ...(faults.untitled === true ? {} : { title: note.title }) };
    return faults.extra === true ? { ...body, colour: "red" } : body;
  }
}

function user(username: string, account: string): NotesUser {
  return { username, account, limited: false, scopes: "*", requestCounts: 0, times: [] };
}

function respondWithError(response: ServerResponse, status: number, reason: string, field?: string): void {
  respond(response, status, { errors: [field === undefined ? { reason } : { field, reason }] });
}

function respond(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  response.writeHead(status, { ...type, "x-request-id": "r1", ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
