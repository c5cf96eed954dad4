// Notes on the server generated from notes.yaml, as its user would write it. What is not here, the server does.
import {
  createServer,
  readList,
  selectItems,
  type Handlers,
  type Note,
  type RequestContext,
  type Resources,
} from "./server/src/index.js";
import type { Server } from "@plumbline/server-runtime";

interface Rows extends Resources {
  readonly Note: Note;
}

/** Notes in memory. `errorBody` replaces the body of errors. */
export function createNotes(errorBody?: (error: { readonly errors: readonly object[] }) => unknown): Server {
  const notes = new Map<number, Note>();
  let last = 0;
  const handlers: Handlers<RequestContext, Rows> = {
    listNotes: (request) => {
      const found = selectItems([...notes.values()], readList("listNotes", request));
      return { status: 200, body: found.slice(0, request.query.limit ?? 100) };
    },
    createNote: ({ body }) => {
      const note = { ...body, id: ++last };
      notes.set(note.id, note);
      return { status: 201, body: note };
    },
    getNote: ({ target }) => ({ status: 200, body: target }),
    deleteNote: ({ target }) => {
      notes.delete(target.id);
      return { status: 204 };
    },
    findNotes: ({ query }) => ({
      status: 200,
      body: [...notes.values()].filter(({ topic }) => topic === query.topic),
    }),
  };
  return createServer<RequestContext, Rows>(handlers, {
    resources: { Note: { load: ({ values }) => values.flatMap((id) => notes.get(id) ?? []) } },
    ...(errorBody === undefined ? {} : { errorBody }),
  });
}
