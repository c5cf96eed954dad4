// A server of serving.yaml, as somebody would write it: its types have to be right, and it is asked over a real connection.
import type { Basic, LogEntry, Server } from "@plumbline/server-runtime";
import { createServer, type Caller, type CreateNoteReply, type Handlers } from "./server/src/index.js";

const handlers: Omit<Handlers, "removeNote"> = {
  listNotes: ({ cookies: { session } }, { caller }) =>
    session === 0
      ? { status: 503, body: { title: "closed" } }
      : { status: 200, body: [{ id: session ?? 1, text: String(caller?.user ?? "anybody") }] },
  createNote: ({ body }, { caller, admission }) => {
    if (body.text === "409") return { status: 409, body: { title: "There is one." } };
    // A field too many, which is not shown, and a type that nobody asked for.
    const made = { id: 7, text: `${caller.user} by ${admission.scheme}: ${body.text}`, owner: "nobody's business" };
    const reply: CreateNoteReply = { status: 201, headers: { Location: "/v2/notes/7" }, body: made };
    return body.text === "broken" ? { ...reply, body: { id: 7, text: "" } } : reply;
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
  password: ({ username, password }: Basic) => (password === "p" ? { caller: { user: username } } : undefined),
};

/** The server; what it logs is written down. */
export function make(log: LogEntry[]): Server {
  return createServer(handlers, {
    missing: "not-implemented",
    authenticate,
    log: (entry) => void log.push(entry),
    requestId: () => "r1",
    replies: "check",
  });
}

// What may not compile: a handler that is missing where none may be, a status and a body that nobody described, a header that is left out.
export const wrong: readonly (() => unknown)[] = [
  // @ts-expect-error There is no handler of removeNote.
  () => createServer(handlers, { authenticate }),
  // @ts-expect-error 404 is no reply of it.
  () => createServer({ attach: () => ({ status: 404 }) }, { authenticate, missing: "not-implemented" }),
  // @ts-expect-error A Problem has a title.
  () => createServer({ createNote: () => ({ status: 400, body: {} }) }, { authenticate, missing: "not-implemented" }),
  // @ts-expect-error Location is required.
  () => createServer({ createNote: () => ({ status: 201, body: { text: "a" } }) }, { authenticate, missing: "not-implemented" }),
  // @ts-expect-error Nobody says whose a password is.
  () => createServer({}, { authenticate: { key: known, token: known, consent: known }, missing: "not-implemented" }),
];
