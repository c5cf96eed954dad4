// Handlers of wire.yaml, and the calls of its client.
import { createClient, createPet, createShape, getPet, listPets, part, type Pet } from "./client/src/index.js";
import { createServer } from "./server/src/index.js";

/** Everything that a handler has received. */
export const received: unknown[] = [];

export const server: ReturnType<typeof createServer> = createServer(
  {
    getPet: () => ({ status: 200, body: { kind: "cat" } }),
    getPetOther: () => ({ status: 204 }),
    deletePet: () => ({ status: 204 }),
    listPets: ({ query }) => {
      received.push(query);
      return { status: 200, body: [] };
    },
    createPet: ({ body }) => {
      received.push(body);
      return { status: 201, body: isPet(body) ? body : { kind: "dog" } };
    },
    putOwner: ({ body }) => ({ status: 200, body }),
    createShape: ({ body }) => ({ status: 201, body }),
  },
  {},
);

function isPet(body: unknown): body is Pet {
  return typeof (body as { readonly kind?: unknown }).kind === "string";
}

/** Makes one call of each kind. */
export async function callAll(baseUrl: string): Promise<readonly unknown[]> {
  const keys: (string | null)[] = [];
  const client = createClient({ baseUrl, authorize: ({ headers }) => void keys.push(headers.get("authorization")) });
  const contentType = "application/x-www-form-urlencoded";
  const filter = { tags: ["a", "b&c"], created: { gte: 5 }, name: "x" };
  return [
    await getPet(client, { path: { id: 5 } }),
    await listPets(client, { query: { filter, expand: ["p", "q"] } }),
    await createPet(client, { body: { kind: "kitten", lives: 9 } }),
    await createPet(client, { contentType, body: { line_items: [{ price: "a" }, { quantity: 2 }], expand: ["x"], card: { number: "4" } } }),
    await createPet(client, {
      contentType: "multipart/form-data",
      body: { photo: part(new Blob(["x"], { type: "image/png" }), { headers: { "X-Size": 1 } }), name: "n" },
    }),
    await createShape(client, { body: { shape: "box", side: 1 } }),
    keys.length,
  ];
}
