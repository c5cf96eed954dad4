import { QueryClient } from "@tanstack/react-query";
import { createClient, type Book, type ListLoansError, type NewLoan } from "@corpus/library"; // concerns: schema-renamed
import * as queries from "@corpus/library/query";

export const client = createClient({ baseUrl: "https://library.example/v1" });
export const cache = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });

export const keys = { loans: ["loans", "list"], books: ["books"] } as const;

export const loansOf = (book: Pick<Book, "id">) => ({
  ...queries.listLoansQuery(client), // concerns: parameter-required-added
  queryKey: [...keys.loans, book.id],
});

export async function countLoans(): Promise<number> {
  const loans = await cache.fetchQuery(queries.listLoansQuery(client)); // concerns: parameter-required-added
  return loans.length; // concerns: response-type-changed
}

export async function shelfOf(bookId: number): Promise<string> {
  const book = await cache.ensureQueryData(queries.getBookQuery(client, { path: { bookId } }));
  const { shelf = "?", pages: length, title } = book; // concerns: response-property-removed, response-type-changed
  return [shelf, length, title].join();
}

export const ending = () => ({
  ...queries.returnLoanMutation(client), // concerns: operation-renamed
  onError: (error: ListLoansError) => console.warn(error.message),
});

export const lending = queries.createLoanMutation(client); // may: limit-tightened
export const adding = queries.createBookMutation(client, { timeout: 5_000 }); // may: error-status-changed
export const correcting = queries.updateBookMutation(client); // concerns: operation-deprecated
export const mending = queries.repairBookMutation(client); // concerns: operation-removed
export const holding = queries.reserveBookMutation(client);

export function loanFor(bookId: number, weeks = 2): NewLoan { // concerns: schema-renamed
  const base = { book_id: bookId };
  return Object.assign(base, { weeks }); // concerns: request-property-required-added, request-property-removed
}
