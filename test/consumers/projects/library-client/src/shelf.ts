import * as books from "@corpus/library";
import { createBook as add, type Book, type BookCorrection, type Client, type NewBook } from "@corpus/library";

const LANGUAGES: NonNullable<NewBook["language"]>[] = ["de", "en"];
const FRENCH = "fr" as const;

type Summary = Omit<Book, "id"> & { readonly where: string };
type Label = Pick<Book, "isbn" | "title">; // concerns: field-deprecated

/** A paper slip: no book of the service, though it has its fields. */
interface Slip {
  title: string;
  pages: number;
  shelf: string;
}

export const slip = ({ title, pages, shelf }: Slip): string => `${shelf}: ${title.toUpperCase()} (${pages})`;

export function lines(found: readonly Label[]): string[] {
  return found.map(({ title }) => title.padEnd(40)); // concerns: response-type-changed
}

export function summary(book: Book): Summary {
  const { id, ...rest } = book;
  return { ...rest, where: book.shelf ?? `unknown ${id}` };
}

export class Shelf {
  #books: Book[] = [];

  constructor(
    private readonly client: Client,
    readonly name: string,
  ) {}

  async refresh(): Promise<this> {
    this.#books = await books.listBooks(this.client);
    return this;
  }

  get missing(): Book[] {
    return this.#books.filter((book) => book.status === "lost"); // concerns: state-removed, response-enum-value-removed; may: response-enum-value-added
  }

  get free(): number {
    return this.#books.filter(({ status }) => status === "available").length; // may: response-enum-value-added
  }

  get thickest(): number {
    return Math.max(...this.#books.map((book) => book.pages ?? 0)); // concerns: response-property-removed
  }

  languages(): Set<string> {
    return new Set(this.#books.map(({ language }) => language.toUpperCase())); // concerns: response-property-optional
  }

  isEnglish(book: Book): boolean {
    return book.language?.startsWith("en") ?? true;
  }

  async add(isbn: string, title: string, pages?: number, french = false): Promise<number> {
    const body: NewBook = { // concerns: request-property-required
      isbn,
      title,
      ...(pages !== undefined && { pages }), // may: request-bound-tightened
      language: french ? FRENCH : "en", // concerns: request-enum-value-removed
    };
    const { id } = await add(this.client, { body }); // may: error-status-changed
    return id;
  }

  async correct(bookId: number, change: BookCorrection): Promise<void> {
    await books.updateBook(this.client, { path: { bookId }, body: { ...change, shelf: this.name } }); // concerns: operation-deprecated, request-property-removed
  }

  async mend(bookId: number): Promise<Book> {
    await books.repairBook(this.client, { path: { bookId } }); // concerns: operation-removed
    return books.shelveBook(this.client, { path: { bookId } });
  }

  /** Only forgets it here. */
  repairBook(bookId: number): void {
    this.#books = this.#books.filter(({ id }) => id !== bookId);
  }
}

export async function import500(client: Client, isbns: string[]): Promise<books.Result<Book, books.CreateBookError>[]> {
  return Promise.all(
    isbns.map((isbn) =>
      books.toResult(
        books.createBook(client, { // may: error-status-changed
          body: { isbn, title: "?", pages: 500, shelf: "A01", language: LANGUAGES[0] ?? "en" }, // may: request-enum-value-removed
        }),
      ),
    ),
  );
}

export async function duplicates(client: Client, body: NewBook): Promise<string | undefined> {
  const result = await books.toResult(books.createBook(client, { body })); // may: error-status-changed
  if (result.ok) return undefined;
  if (result.error.status === 409) return result.error.body.errors[0]?.field; // concerns: error-status-changed, response-property-removed
  return result.error.errors.map(({ reason }) => reason).join();
}
