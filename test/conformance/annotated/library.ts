import type { Sample } from "../../support/foreign/serving.js";
import {
  sampleApi,
  SampleRejection,
  sideEffectOf,
  type Fields,
  type SampleCall,
  type SampleCaller,
  type SideEffect,
} from "./sample-api.js";
import { checkQuery, pageByCursor, positionOfCursor, prefixFilter } from "./sample-lists.js";

/** Ways in which an operation may do more than it should. */
export const librarySideEffects = [
  "a new title clears the shelf",
  "a correction sets the language to English",
  "a new title is given to the other books of the shelf",
  "a reservation ends the other reservations",
  "a repair clears the shelf",
  "a shelved book brings others in repair along",
  "a removed book takes its loans along",
  "a return ends the other loans of the caller",
  "a loan sets the weeks of open loans",
  "a loan clears the shelf of its book",
  "a new book sets the pages of books with its title",
  "a correction reaches the same ISBN in other accounts",
] as const;

/** Ways in which a library may be wrong. */
export const libraryFaults = [
  "a book begins as reserved",
  "a reserved book can be reserved again",
  "a book in repair can be lent",
  "a reserved book cannot be lent",
  "a lent book can be removed",
  "a book that was lent stays available",
  "a returned book stays lent",
  "a book on the shelf can be shelved",
  "a loan stays open",
  "a loan can be returned twice",
  "a caller can have six open loans",
  "returned loans count as open",
  "an ISBN can be used twice",
  "the ISBN of a removed book stays taken",
  "books of other accounts can be read",
  "loans of other accounts can be returned",
  "books of other accounts can be lent",
  "scopes are ignored when books change",
  "more requests than the limit are accepted",
  "the quota does not count the request",
  "a loan has no default number of weeks",
  "an error names another field",
  "the last page has a cursor",
  "a cursor is an offset",
  "a page has the size of the one before it",
  "an unknown cursor is that of the first page",
  "pages with a cursor have their own order",
  "a book is on two pages",
  "books cannot be ordered",
  "the greatest book comes last",
  "books can be ordered by any field",
  "books are not filtered",
  "a book of exactly that many pages is not found",
  "an operator before the value is a part of it",
  "pages can be a text",
  ...librarySideEffects,
] as const;

export type LibrarySideEffect = (typeof librarySideEffects)[number];

export type LibraryFault = (typeof libraryFaults)[number];

const all = ["books:read", "books:write", "loans:read", "loans:write"];

/** The tokens of the library, which a login creates elsewhere. */
export const libraryCallers: Readonly<Record<string, SampleCaller>> = {
  "library-main": { user: "ada", account: "north", scopes: all },
  "library-other": { user: "bob", account: "south", scopes: all },
  "library-books": { user: "ada", account: "north", scopes: ["books:read", "books:write"] },
  "library-loans": { user: "ada", account: "north", scopes: ["loans:read", "loans:write"] },
  "library-reader": { user: "ada", account: "north", scopes: ["books:read", "loans:read"] },
};

interface Book extends Fields {
  readonly id: number;
  readonly isbn: string;
  readonly account: string;
  status: "available" | "reserved" | "on-loan" | "in-repair" | "lost";
}

interface Loan extends Fields {
  readonly id: number;
  readonly book_id: number;
  readonly account: string;
  readonly user: string;
  status: "open" | "over";
}

/** A library as `library.yaml` describes it, except for one fault. */
export function library(fault?: LibraryFault, now?: () => number): Sample {
  const is = (each: LibraryFault): boolean => each === fault;
  const books = new Map<number, Book>();
  const loans = new Map<number, Loan>();
  const isbns = new Set<string>();
  let last = 0;
  const also = sideEffectOf(effectsOf({ books, loans }), fault);

  return sampleApi({
    description: "library.yaml",
    callers: libraryCallers,
    rate: { max: 180, window: 1000 },
    now,
    rejectionBody: (field) => ({
      error: {
        message: "This is not possible.",
        details: [
          {
            ...(field === undefined ? {} : { path: is("an error names another field") ? "shelf" : field }),
            message: "No.",
          },
        ],
      },
    }),
    scopes: {
      ...scoped("books:read", "listBooks getBook"),
      ...scoped("books:write", "createBook updateBook deleteBook reserveBook repairBook shelveBook"),
      ...scoped("loans:read", "listLoans getLoan"),
      ...scoped("loans:write", "createLoan returnLoan"),
    },
    without: (check, operation) =>
      (check === "rate" && is("more requests than the limit are accepted")) ||
      (check === "rate-headers" && is("the quota does not count the request")) ||
      (check === "scope" && is("scopes are ignored when books change") && operation.endsWith("Book")),
    handlers: {
      listBooks: (call) => listBooks(call),
      createBook: (call) => {
        const { isbn, title, pages, shelf, language = "en" } = call.fields;
        const key = `${call.caller.account} ${String(isbn)}`;
        if (isbns.has(key) && !is("an ISBN can be used twice")) throw new SampleRejection(409, "isbn");
        isbns.add(key);
        const book: Book = {
          id: ++last,
          account: call.caller.account,
          isbn: String(isbn),
          ...present({ title, pages, shelf, language }),
          status: is("a book begins as reserved") ? "reserved" : "available",
        };
        books.set(book.id, book);
        also(book, call);
        return { status: 201, body: shown(book) };
      },
      getBook: (call) => {
        const any = is("books of other accounts can be read") ? books.get(call.id) : undefined;
        return { status: 200, body: shown(any ?? bookOf(call)) };
      },
      updateBook: (call) => {
        const { title, pages, shelf } = call.fields;
        const book = Object.assign(bookOf(call), present({ title, pages, shelf }));
        also(book, call);
        return { status: 200, body: shown(book) };
      },
      deleteBook: (call) => {
        const book = bookOf(call);
        if (book.status === "on-loan" && !is("a lent book can be removed")) throw new SampleRejection(409);
        books.delete(book.id);
        if (!is("the ISBN of a removed book stays taken")) isbns.delete(`${book.account} ${book.isbn}`);
        also(book, call);
        return { status: 204 };
      },
      reserveBook: (call) =>
        moved(
          call,
          is("a reserved book can be reserved again") ? ["available", "reserved"] : ["available"],
          "reserved",
        ),
      repairBook: (call) => moved(call, ["available"], "in-repair"),
      shelveBook: (call) =>
        moved(call, is("a book on the shelf can be shelved") ? ["in-repair", "available"] : ["in-repair"], "available"),
      listLoans: ({ caller }) => ({ status: 200, body: [...loans.values()].filter(ownedBy(caller)).map(shown) }),
      createLoan: (call) => lend(call),
      getLoan: (call) => ({ status: 200, body: shown(loanOf(call)) }),
      returnLoan: (call) => {
        const loan = loanOf(call, is("loans of other accounts can be returned"));
        if (loan.status === "over" && !is("a loan can be returned twice")) throw new SampleRejection(409);
        if (!is("a loan stays open")) loan.status = "over";
        const book = books.get(loan.book_id);
        if (book !== undefined && !is("a returned book stays lent")) book.status = "available";
        also(loan, call);
        return { status: 200, body: shown(loan) };
      },
    },
  });

  function listBooks({ caller, query }: SampleCall) {
    const isAny = is("books can be ordered by any field");
    checkQuery(query, {
      after: /^.{1,400}$/,
      limit: /^([1-9]\d?|100)$/,
      sort: isAny ? /^.{1,40}$/ : /^-?(title|pages|language)$/,
      title: /^.{0,80}$/,
      language: /^.{0,20}$/,
    });
    const cursor = query.get("after");
    const after = cursor === null ? undefined : positionOfCursor(cursor);
    if (cursor !== null && after === undefined && !is("an unknown cursor is that of the first page"))
      throw new SampleRejection(400, "after");
    const isMeant = is("books are not filtered")
      ? () => true
      : prefixFilter(askedOf(query), { title: "text", pages: "number", language: "text" });
    const meant = [...books.values()].filter(ownedBy(caller)).filter(isMeant);
    const sort = query.get("sort") ?? "id";
    const isUnordered =
      is("books cannot be ordered") || (cursor !== null && is("pages with a cursor have their own order"));
    const isSized = cursor === null || !is("a page has the size of the one before it");
    const { page, next } = pageByCursor(meant, {
      sort: isUnordered ? "id" : is("the greatest book comes last") ? sort.replace("-", "") : sort,
      after: is("a book is on two pages") && after !== undefined ? [after[0], after[1] - 1] : after,
      size: isSized ? Number(query.get("limit") ?? 20) : 1,
      isOffset: is("a cursor is an offset"),
    });
    const ofLast = is("the last page has a cursor") ? "WzEsMV0" : undefined;
    return { status: 200, body: present({ books: page.map(shown), next: next ?? ofLast }) };
  }

  /** The query as a library with a fault reads it. */
  function askedOf(query: URLSearchParams): URLSearchParams {
    const entries = [...query].map(([name, value]): [string, string] => {
      if (is("an operator before the value is a part of it")) return [name, value.replace(/^(not|like):/, "$1;")];
      if (name !== "pages") return [name, value];
      if (is("pages can be a text")) return [name, /\d/.test(value) ? value : "0"];
      const exact = /^[gl]te:(\d+)$/.exec(value)?.[1];
      const isExact = exact !== undefined && is("a book of exactly that many pages is not found");
      return [name, isExact ? `${value.slice(0, 4)}${Number(exact) + (value.startsWith("g") ? 1 : -1)}` : value];
    });
    return new URLSearchParams(entries);
  }

  function lend(call: SampleCall) {
    const { fields, caller } = call;
    const { book_id: id, weeks } = fields;
    const book = books.get(Number(id));
    const mayLend = book?.account === caller.account || is("books of other accounts can be lent");
    if (book === undefined || !mayLend) throw new SampleRejection(400, "book_id");
    const lendable: readonly Book["status"][] = [
      "available",
      ...(is("a reserved book cannot be lent") ? [] : (["reserved"] as const)),
      ...(is("a book in repair can be lent") ? (["in-repair"] as const) : []),
    ];
    if (!lendable.includes(book.status)) throw new SampleRejection(409, "book_id");
    const open = [...loans.values()].filter(
      ({ user, status }) => user === caller.user && (status === "open" || is("returned loans count as open")),
    );
    if (open.length >= (is("a caller can have six open loans") ? 6 : 5)) throw new SampleRejection(409);
    if (!is("a book that was lent stays available")) book.status = "on-loan";
    const loan: Loan = {
      id: ++last,
      account: caller.account,
      user: caller.user,
      book_id: book.id,
      weeks: weeks ?? (is("a loan has no default number of weeks") ? 1 : 4),
      status: "open",
    };
    loans.set(loan.id, loan);
    also(loan, call);
    return { status: 201, body: shown(loan) };
  }

  function moved(call: SampleCall, from: readonly Book["status"][], to: Book["status"]) {
    const book = bookOf(call);
    if (!from.includes(book.status)) throw new SampleRejection(409);
    book.status = to;
    also(book, call);
    return { status: 200, body: shown(book) };
  }

  function bookOf({ id, caller }: SampleCall): Book {
    const book = books.get(id);
    if (book?.account !== caller.account) throw new SampleRejection(404);
    return book;
  }

  function loanOf({ id, caller }: SampleCall, isAny = false): Loan {
    const loan = loans.get(id);
    if (loan === undefined || (loan.account !== caller.account && !isAny)) throw new SampleRejection(404);
    return loan;
  }
}

/** Effects of operations on what they do not concern, by fault. */
function effectsOf({
  books,
  loans,
}: {
  readonly books: ReadonlyMap<number, Book>;
  readonly loans: Map<number, Loan>;
}): Readonly<Record<LibrarySideEffect, SideEffect>> {
  const otherBooks = ({ id, account }: Fields): readonly Book[] =>
    [...books.values()].filter((each) => each.id !== id && each.account === account);
  const otherLoans = ({ id, account }: Fields): readonly Loan[] =>
    [...loans.values()].filter((each) => each.id !== id && each.account === account && each.status === "open");
  return {
    "a new title clears the shelf": [
      "updateBook",
      (book, { fields }) => {
        if ("title" in fields && !("shelf" in fields)) delete book["shelf"];
      },
    ],
    "a correction sets the language to English": ["updateBook", (book) => (book["language"] = "en")],
    "a new title is given to the other books of the shelf": [
      "updateBook",
      (book, { fields: { title = book["title"] } }) => {
        for (const other of otherBooks(book)) if (other["shelf"] === book["shelf"]) other["title"] = title;
      },
    ],
    "a reservation ends the other reservations": [
      "reserveBook",
      (book) => {
        for (const other of otherBooks(book)) if (other.status === "reserved") other.status = "available";
      },
    ],
    "a repair clears the shelf": ["repairBook", (book) => void delete book["shelf"]],
    "a shelved book brings others in repair along": [
      "shelveBook",
      (book) => {
        for (const other of otherBooks(book)) if (other.status === "in-repair") other.status = "available";
      },
    ],
    "a removed book takes its loans along": [
      "deleteBook",
      ({ id }) => {
        for (const loan of loans.values()) if (loan.book_id === id) loans.delete(loan.id);
      },
    ],
    "a return ends the other loans of the caller": [
      "returnLoan",
      (loan) => {
        for (const other of otherLoans(loan)) if (other.user === loan["user"]) other.status = "over";
      },
    ],
    "a loan sets the weeks of open loans": [
      "createLoan",
      (loan) => {
        for (const other of otherLoans(loan)) other["weeks"] = loan["weeks"];
      },
    ],
    "a loan clears the shelf of its book": [
      "createLoan",
      ({ book_id: id }) => void delete books.get(Number(id))?.["shelf"],
    ],
    "a new book sets the pages of books with its title": [
      "createBook",
      (book) => {
        for (const other of otherBooks(book)) if (other["title"] === book["title"]) other["pages"] = book["pages"];
      },
    ],
    "a correction reaches the same ISBN in other accounts": [
      "updateBook",
      (book, { fields }) => {
        for (const other of books.values()) if (other.isbn === book["isbn"]) Object.assign(other, fields);
      },
    ],
  };
}

/** The scope that several operations require, by operation. */
export function scoped(scope: string, operations: string): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(operations.split(" ").map((each) => [each, [scope]] as const));
}

/** The fields that are present. */
export function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export function ownedBy({ account }: SampleCaller): (each: { readonly account: string }) => boolean {
  return (each) => each.account === account;
}

/** An object without what only the server knows. */
export function shown({ account: _account, user: _user, ...fields }: Fields): Fields {
  return fields;
}
