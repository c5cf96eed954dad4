// A library on the server generated from library.yaml, as its user would write it. What is not here, the server does.
import {
  createServer,
  cursorPage,
  readList,
  selectItems,
  type Book,
  type Caller,
  type Handlers,
  type Loan,
  type RequestContext,
  type Resources,
} from "./server/src/index.js";
import type { Server } from "@plumbline/server-runtime";

interface Rows extends Resources {
  readonly Book: Stored<Book>;
  readonly Loan: Stored<Loan>;
}

type Stored<T> = T & { readonly account: string; readonly user: string };

/** A library in memory. `callers`: who a token belongs to. */
export function createLibrary(callers: ReadonlyMap<string, LibraryCaller>): Server {
  const books = new Map<number, Rows["Book"]>();
  const loans = new Map<number, Rows["Loan"]>();
  let last = 0;
  const ownerOf = ({ caller }: RequestContext & { readonly caller: Caller }) => ({
    account: String(caller.account.id),
    user: String(caller.user),
  });
  const setStatus = (book: Rows["Book"], status: Book["status"]): Rows["Book"] => {
    const changed = { ...book, status };
    books.set(book.id, changed);
    return changed;
  };

  const handlers: Handlers<RequestContext, Rows> = {
    listBooks: (request) => {
      const query = readList("listBooks", request);
      const own = [...books.values()].filter(({ account }) => account === request.listScope.owner?.account);
      const { items, next } = cursorPage(selectItems(own, query), query, ({ id }) => id);
      return { status: 200, body: { books: items, ...(next !== undefined && { next }) } };
    },
    createBook: ({ body }, context) => {
      const book = { ...body, ...ownerOf(context), id: ++last, status: "available" as const };
      books.set(book.id, book);
      return { status: 201, body: book };
    },
    getBook: ({ target }) => ({ status: 200, body: target }),
    updateBook: ({ target, body }) => {
      const book = { ...target, ...body };
      books.set(book.id, book);
      return { status: 200, body: book };
    },
    deleteBook: ({ target }) => {
      books.delete(target.id);
      return { status: 204 };
    },
    reserveBook: ({ target }) => ({ status: 200, body: setStatus(target, "reserved") }),
    repairBook: ({ target }) => ({ status: 200, body: setStatus(target, "in-repair") }),
    shelveBook: ({ target }) => ({ status: 200, body: setStatus(target, "available") }),
    listLoans: ({ listScope: { owner } }) => ({
      status: 200,
      body: [...loans.values()].filter(({ account }) => account === owner?.account),
    }),
    createLoan: ({ body, refs }, context) => {
      const loan = { ...body, ...ownerOf(context), id: ++last, status: "open" as const };
      loans.set(loan.id, loan);
      if (refs.book_id !== undefined) setStatus(refs.book_id, "on-loan");
      return { status: 201, body: loan };
    },
    getLoan: ({ target }) => ({ status: 200, body: target }),
    returnLoan: ({ target }) => {
      const loan = { ...target, status: "over" as const };
      loans.set(loan.id, loan);
      const book = books.get(loan.book_id);
      if (book !== undefined) setStatus(book, "available");
      return { status: 200, body: loan };
    },
  };

  return createServer<RequestContext, Rows>(handlers, {
    authenticate: {
      login: (token) => {
        const found = callers.get(token);
        if (found === undefined) return undefined;
        const { user, account, scopes } = found;
        return { caller: { user, account: { id: account }, scopes: scopes.join(" ") } };
      },
    },
    resources: {
      Book: { load: ({ values }) => values.flatMap((id) => books.get(id) ?? []), owner: ({ account }) => ({ account }) },
      Loan: { load: ({ values }) => values.flatMap((id) => loans.get(id) ?? []), owner: ({ account }) => ({ account }) },
    },
    limits: {
      countInProgress: {
        "open-loans": (key) => [...loans.values()].filter(({ user, status }) => user === key && status === "open").length,
      },
      isTaken: {
        "unique-isbn": ({ isbn }, { caller }, except) =>
          [...books.values()].some(
            (book) => book.isbn === isbn && book.account === caller?.account.id && book.id !== except?.id,
          ),
      },
    },
  });
}

interface LibraryCaller {
  readonly user: string;
  readonly account: string;
  readonly scopes: readonly string[];
}
