// A server of serving.yaml, as a user would write it: its types have to be right, and requests reach it over a real connection.
import type { BasicCredentials, LogEntry, Server } from "@plumbline/server-runtime";
import { createServer, type Caller, type CreateNoteResponse, type Handlers } from "./server/src/index.js";

const handlers: Omit<Handlers, "removeNote"> = {
  listNotes: ({ cookies: { session } }, { caller }) =>
    session === 0
      ? { status: 503, body: { title: "closed" } }
      : { status: 200, body: [{ id: session ?? 1, text: String(caller?.user ?? "anybody") }] },
  createNote: ({ body }, { caller, auth }) => {
    if (body.text === "409") return { status: 409, body: { title: "There is one." } };
    // An undocumented property, which is not sent.
    const made = { id: 7, text: `${caller.user} by ${auth.scheme}: ${body.text}`, owner: "private" };
    const response: CreateNoteResponse = { status: 201, headers: { Location: "/v2/notes/7" }, body: made };
    return body.text === "broken" ? { ...response, body: { id: 7, text: "" } } : response;
  },
  readNote: ({ path: { id } }) => (id === 7 ? { status: 200, body: "seven ü" } : { status: 404 }),
  attach: async ({ body }) => {
    const text = body === undefined ? "" : `${body.title}: ${await new Response(body.file).text()}`;
    return { status: text === "a: bytes" ? 204 : 205 };
  },
  sendPicture: ({ body = new ReadableStream() }) => ({ status: 200, body }),
};

const keys: Readonly<Record<string, Caller>> = {
  k: { user: "keyed" },
  reader: { user: "ann", scopes: "notes:read" },
  writer: { user: "ann", scopes: "notes:read notes:write" },
};

const known = (sent: string) => (Object.hasOwn(keys, sent) && keys[sent] !== undefined ? { caller: keys[sent] } : undefined);

const authenticate = {
  key: known,
  token: known,
  consent: known,
  password: ({ username, password }: BasicCredentials) => (password === "p" ? { caller: { user: username } } : undefined),
};

/** The server, with a log. */
export function make(log: LogEntry[]): Server {
  return createServer(handlers, {
    missingHandlers: "not-implemented",
    authenticate,
    log: (entry) => void log.push(entry),
    requestId: () => "r1",
    validateResponses: "enforce",
  });
}

// None of these compiles: a missing handler, an undocumented status, an undocumented body, a missing header.
export const wrong: readonly (() => unknown)[] = [
  // @ts-expect-error There is no handler of removeNote.
  () => createServer(handlers, { authenticate }),
  // @ts-expect-error 404 is not one of its responses.
  () => createServer({ attach: () => ({ status: 404 }) }, { authenticate, missingHandlers: "not-implemented" }),
  // @ts-expect-error A Problem has a title.
  () => createServer({ createNote: () => ({ status: 400, body: {} }) }, { authenticate, missingHandlers: "not-implemented" }),
  // @ts-expect-error Location is required.
  () => createServer({ createNote: () => ({ status: 201, body: { text: "a" } }) }, { authenticate, missingHandlers: "not-implemented" }),
  // @ts-expect-error There is no function for passwords.
  () => createServer({}, { authenticate: { key: known, token: known, consent: known }, missingHandlers: "not-implemented" }),
];
