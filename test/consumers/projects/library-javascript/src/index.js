// @ts-check
import { createBook, createClient, createLoan, getBook, isApiError, listBooks, listLoans, updateBook } from "@corpus/library";
import { repairBook as repair, returnLoan as giveBack } from "@corpus/library"; // concerns: operation-removed, operation-renamed
import * as api from "@corpus/library";

export const client = createClient({ baseUrl: process.env.LIBRARY_URL, token: process.env.LIBRARY_TOKEN });

const WEEKS = 3;

/** @type {Record<string, number>} */
const ranks = { available: 1, reserved: 2 };

/** @param {import("@corpus/library").Book} book */
export function line(book) {
  const { id, title, language = "en" } = book; // concerns: response-type-changed
  const pages = book.pages ? `${book.pages} pages` : ""; // concerns: response-property-removed
  return `${id} ${title} ${language.toLowerCase()} ${pages} ${ranks[book.status] ?? 9}`; // may: response-enum-value-added
}

/** @param {{ title: string, pages: number, shelf: string }} row A row of our own table. */
export function toRow({ title, pages, shelf }) {
  return { title, pages, shelf, weeks: WEEKS };
}

export async function catalogue() {
  const books = await listBooks(client);
  return books.map(line).concat(books.map((book) => book.language.slice(0, 2))); // concerns: response-property-optional
}

/**
 * @param {number} bookId
 * @param {import("@corpus/library").NewLoan["weeks"]} [weeks] // concerns: schema-renamed, request-property-removed
 */
export async function lend(bookId, weeks = WEEKS) {
  const body = { book_id: bookId, weeks }; // concerns: request-property-required-added, request-property-removed
  const loan = await createLoan(client, { body }); // may: limit-tightened
  if (loan.book_id) return loan.book_id.toString();
  return loan.weeks.toFixed(1); // concerns: response-type-changed
}

export async function register(isbn, shelf) {
  try {
    const { id } = await createBook(client, { body: { isbn, title: "New", shelf, pages: 2500 } }); // concerns: request-bound-tightened; may: error-status-changed
    await updateBook(client, { path: { bookId: id }, body: { shelf } }); // concerns: operation-deprecated, request-property-removed
    return id;
  } catch (error) {
    if (!isApiError(error)) throw error;
    switch (error.status) {
      case 409: // concerns: error-status-changed
        return undefined;
      default:
        throw error;
    }
  }
}

export async function back(loanId) {
  const loan = await giveBack(client, { path: { loanId } }); // concerns: parameter-renamed
  const book = await getBook(client, { path: { bookId: loan.book_id } }); // concerns: response-null-added
  if (book.status !== "in-repair") return book.isbn; // concerns: field-deprecated; may: response-enum-value-added
  await repair(client, { path: { bookId: book.id } }); // concerns: operation-removed
  return api.waitForBook(client, book.id, "available").then((each) => each.id);
}

export async function open() {
  const loans = await listLoans(client); // concerns: parameter-required-added
  for (const { id, status } of loans) console.log(id, status); // concerns: response-type-changed
}

export const isLate = (loan) => loan.weeks > WEEKS;
