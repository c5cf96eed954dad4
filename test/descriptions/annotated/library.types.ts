import type { components, paths } from "./types/src/index.js";
import { QueryClient } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { createOpenApiHttp } from "openapi-msw";
import createQueryClient from "openapi-react-query";
import { setupServer } from "msw/node";

type Book = components["schemas"]["Book"];

/** What a user of three libraries writes with the generated types. Runs on responses of openapi-msw. */
export async function useLibraries(): Promise<readonly unknown[]> {
  const baseUrl = "https://library.example/v1";
  const book: Book = { id: 7, isbn: "9780000000000", title: "Emma", language: "en", status: "available" };
  const http = createOpenApiHttp<paths>({ baseUrl });
  const server = setupServer(
    http.get("/books", ({ response }) => response(200).json({ books: [book] })),
    http.get("/books/{bookId}", ({ params, response }) => response(200).json({ ...book, id: Number(params.bookId) })),
    http.post("/loans", async ({ request, response }) => {
      const { book_id, weeks } = await request.json();
      return response(201).json({ id: 1, book_id, weeks, status: "open" });
    }),
  );
  server.listen({ onUnhandledRequest: "error" });
  try {
    const client = createClient<paths>({ baseUrl });
    const { data: { books } = { books: [] } } = await client.GET("/books");
    const { data: one } = await client.GET("/books/{bookId}", { params: { path: { bookId: 8 } } });
    const { data: loan, error } = await client.POST("/loans", { body: { book_id: 7, weeks: 4 } });
    if (error !== undefined) throw new Error(error.error.details[0]?.message ?? error.error.message);
    const queries = createQueryClient(client);
    const cached = await new QueryClient().fetchQuery(queries.queryOptions("get", "/books"));

    // @ts-expect-error There is no such path.
    void (() => client.GET("/bookz"));
    // @ts-expect-error An id is a number.
    void (() => client.GET("/books/{bookId}", { params: { path: { bookId: "8" } } }));
    // @ts-expect-error A loan needs a book.
    void (() => client.POST("/loans", { body: { weeks: 2 } }));
    // @ts-expect-error There is no such status.
    void ((): Book["status"] => "burnt");

    return [books.map(({ title }) => title), one?.id, loan?.weeks, cached.books.length];
  } finally {
    server.close();
  }
}
