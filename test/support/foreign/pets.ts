import { readFields, type Answered, type Asked, type Sample } from "./serving.js";

interface Pet {
  readonly id: number;
  readonly name: string;
  readonly tag?: string;
}

/** `petstore-expanded` of the examples, as its description says: a list, and pets that are created, read and deleted. */
export function petSample(): Sample {
  const pets = new Map<number, Pet>();
  let last = 0;

  return (asked) => {
    const [, id] = /^\/pets\/([^/]*)$/.exec(asked.path) ?? [];
    if (asked.path === "/pets") return ofAll(asked);
    return id === undefined ? failed(404, "There is nothing here.") : ofOne(asked, id);
  };

  function ofAll(asked: Asked): Answered {
    if (asked.method === "GET") return listed(asked);
    return asked.method === "POST" ? added(asked) : failed(405, "Pets are listed and added.");
  }

  function listed({ query }: Asked): Answered {
    const limit = query.get("limit");
    if (limit !== null && !isInt32(limit)) return failed(400, "The limit is a whole number of 32 bits.");
    const tags = query.getAll("tags").flatMap((each) => each.split(","));
    const found = [...pets.values()].filter(({ tag }) => tags.length === 0 || tags.includes(tag ?? ""));
    return { status: 200, body: found.slice(0, limit === null ? undefined : Math.max(0, Number(limit))) };
  }

  function added(asked: Asked): Answered {
    const fields = readFields(asked);
    if (typeof fields === "number") return failed(fields, "A pet is an object of JSON.");
    const { name, tag } = fields;
    if (typeof name !== "string") return failed(400, "A pet has a name.");
    if (tag !== undefined && typeof tag !== "string") return failed(400, "A tag is a text.");
    const pet: Pet = { id: ++last, name, ...(tag === undefined ? {} : { tag }) };
    pets.set(pet.id, pet);
    return { status: 200, body: pet };
  }

  function ofOne({ method }: Asked, id: string): Answered {
    if (method !== "GET" && method !== "DELETE") return failed(405, "A pet is read and deleted.");
    if (!/^-?\d{1,15}$/.test(id)) return failed(400, "An id is a whole number.");
    const pet = pets.get(Number(id));
    if (pet === undefined) return failed(404, "Unknown pet.");
    if (method === "GET") return { status: 200, body: pet };
    pets.delete(pet.id);
    return { status: 204 };
  }
}

function isInt32(text: string): boolean {
  return /^-?\d{1,10}$/.test(text) && Math.abs(Number(text) + 0.5) <= 2 ** 31;
}

function failed(code: number, message: string): Answered {
  return { status: code, body: { code, message } };
}
