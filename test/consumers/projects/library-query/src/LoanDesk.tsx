import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getLoanQuery, listBooksQuery } from "@corpus/library/query";
import type { Book, Loan } from "@corpus/library";
import { adding, client, correcting, ending, holding, lending, loanFor, loansOf } from "./queries.js";

type Filter = "all" | Book["status"];

interface Props {
  /** What our own catalogue knows about a title. */
  readonly entry: { readonly id: number; readonly title: string; readonly pages: number };
  readonly filter?: Filter;
}

const badge = ({ status }: Book): string => {
  if (status === "lost") return "red"; // concerns: state-removed, response-enum-value-removed; may: response-enum-value-added
  return status === "available" ? "green" : "gray"; // may: response-enum-value-added
};

export function LoanDesk({ entry, filter = "all" }: Props) {
  const books = useSuspenseQuery({ ...listBooksQuery(client), select: (all) => all.filter((book) => filter === "all" || book.status === filter) }); // may: response-enum-value-added
  const loans = useQuery(loansOf(entry)).data?.map((each) => each.id); // concerns: response-type-changed
  const { mutate: lend, error } = useMutation(lending);
  const start = () => lend({ body: loanFor(entry.id) });
  if (error) return <p role="alert">{error.errors.map(({ reason }) => reason).join()}</p>;
  const heading = `${entry.title} (${entry.pages})`;
  const list = books.data.map((book) => <li key={book.id} className={badge(book)}>{book.isbn}</li>); // concerns: field-deprecated
  return <button title={heading} onClick={start}>{list}{loans?.length}</button>;
}

export function Return({ loanId }: { loanId: Loan["id"] }) {
  const loan = useQuery(getLoanQuery(client, { path: { loanId } })).data; // concerns: parameter-renamed
  const giveBack = useMutation(ending());
  const end = () => giveBack.mutate({
    path: {
      loanId, // concerns: parameter-renamed
    },
  });
  const due = loan && loan.weeks - 1; // concerns: response-type-changed
  const book = loan?.book_id ?? "unknown";
  return <button disabled={due === 0} onClick={end}>{book}</button>;
}

export function AddBook({ isbn, language }: { isbn: string; language: "de" | "en" | "fr" }) {
  const { mutate, error, data: added } = useMutation({ ...adding, retry: 1 });
  const fix = useMutation(correcting);
  const hold = useMutation(holding);
  const add = () =>
    mutate({
      body: { // concerns: request-property-required
        isbn,
        title: "Untitled",
        language, // concerns: request-enum-value-removed
      },
    });
  const shorten = (bookId: number, pages: number) =>
    fix.mutate({
      path: { bookId },
      body: {
        pages, // may: request-bound-tightened
      },
    });
  const keep = (bookId: number) => hold.mutate({ path: { bookId } });
  if (error?.status === 409) return <p>{error.message}</p>; // concerns: error-status-changed
  if (added) return <p onClick={() => keep(added.id)}>{added.language ?? "English"}</p>;
  return <button onClick={add} onDoubleClick={() => shorten(1, 90)}>Add</button>;
}
