import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];
type Book = Schemas["Book"];
type Loan = Schemas["Loan"];
type Lending = Schemas["NewLoan"]; // concerns: schema-renamed
type LoanPath = paths["/loans/{loanId}"]["get"]["parameters"]["path"]; // concerns: parameter-renamed
type Status = Book["status"];

const client = createClient<paths>({ baseUrl: "https://library.example/v1" });

const ORDER: Record<Status, number> = { // concerns: response-enum-value-added
  available: 0,
  reserved: 1,
  "on-loan": 2,
  "in-repair": 3,
  lost: 4, // concerns: state-removed, response-enum-value-removed
};

export const byStatus = (a: Book, b: Book): number => ORDER[a.status] - ORDER[b.status]; // may: response-enum-value-added

/** Returns the data of a call, or the reason why there is none. */
async function settle<Data>(call: Promise<{ data?: Data; error?: Schemas["Errors"] }>): Promise<Data | string> {
  const { data, error } = await call;
  if (data !== undefined) return data;
  const [first] = error?.errors ?? [];
  return first?.field ? `${first.field}: ${first.reason}` : "unknown"; // concerns: response-property-removed
}

export async function titles(): Promise<string[]> {
  const { data: books = [] } = await client.GET("/books");
  return books.sort(byStatus).map((book) => book.title.slice(0, 20)); // concerns: response-type-changed
}

export async function register(isbn: string, pages: number): Promise<Book | string> {
  return settle(
    client.POST("/books", { // may: error-status-changed
      body: {
        isbn,
        title: "New",
        shelf: "B12",
        pages, // may: request-bound-tightened
        language: "fr", // concerns: request-enum-value-removed
      },
    }),
  );
}

export async function registerAtlas(isbn: string): Promise<boolean> {
  const { response } = await client.POST("/books", { body: { isbn, title: "Atlas", pages: 3000 } }); // concerns: request-property-required, request-bound-tightened; may: error-status-changed
  return response.ok;
}

export async function rename(bookId: number, title: string): Promise<string> {
  const { data } = await client.PATCH("/books/{bookId}", { // concerns: operation-deprecated
    params: { path: { bookId } },
    body: {
      title,
      shelf: "C03", // concerns: request-property-removed
    },
  });
  return data?.language ?? "en";
}

export async function reserve(bookId: number): Promise<string | undefined> {
  const { data } = await client.POST("/books/{bookId}/reserve", { params: { path: { bookId } } }); // concerns: operation-moved
  return data?.shelf;
}

const at = (loanId: number): { path: LoanPath } => ({ path: { loanId } }); // concerns: parameter-renamed

export async function loan(loanId: number): Promise<Loan | string> {
  return settle(client.GET("/loans/{loanId}", { params: at(loanId) })); // concerns: parameter-renamed
}

export async function end(loanId: number): Promise<number> {
  const { data } = await client.POST("/loans/{loanId}/return", { // concerns: parameter-renamed
    params: { path: { loanId } }, // concerns: parameter-renamed
  });
  const weeks = data?.weeks.toFixed(0); // concerns: response-type-changed
  return Number(weeks);
}

export async function lend(book: Pick<Book, "id">, weeks?: Lending["weeks"]): Promise<string> { // concerns: request-property-removed
  const body: Lending = weeks === undefined ? { book_id: book.id } : { book_id: book.id, weeks }; // concerns: request-property-required-added, request-property-removed
  const { data, error } = await client.POST("/loans", { body }); // may: limit-tightened
  if (error) return error.errors.map(({ reason }) => reason).join();
  return data.book_id.toFixed(0); // concerns: response-null-added
}

export async function openLoans(): Promise<number> {
  const { data } = await client.GET("/loans"); // concerns: parameter-required-added
  return data?.length ?? 0; // concerns: response-type-changed
}

export async function mend(bookId: number): Promise<unknown> {
  const { data } = await client.POST(
    "/books/{bookId}/repair", // concerns: operation-removed
    { params: { path: { bookId } } },
  );
  return data;
}

/** A form of the front desk, not a request. */
export function form(weeks: number, field: string): { weeks: number; field: string; title: string } {
  return { weeks, field, title: `${field} for ${weeks} weeks` };
}
