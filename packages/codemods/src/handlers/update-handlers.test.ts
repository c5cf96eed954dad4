import { expect, test } from "vitest";
import { HandlerSyntaxError } from "./index.js";
import { emptyProject, projectWith, update } from "./update.support.js";

const list = "listPets GET /pets pets";
const create = "createPet POST /pets pets";
const owner = "getOwner GET /owners/{id} owners";

const pets = `import { type Handlers, NotImplementedError } from "@pets/server";

export const petsHandlers = {
  /** GET /pets */
  listPets: () => {
    // Next: return a response.
    throw new NotImplementedError("listPets");
  },

  /** POST /pets */
  createPet: () => {
    // Next: return a response.
    throw new NotImplementedError("createPet");
  },
} satisfies Pick<Handlers, "listPets" | "createPet">;
`;

test("the first run writes a stub for each operation, and a file that puts them together", () => {
  const project = update(emptyProject, [list, create, owner]);
  expect(Object.keys(project.texts)).toEqual(["handlers/pets.ts", "handlers/owners.ts", "handlers/index.ts"]);
  expect(project.texts["handlers/pets.ts"]).toBe(pets);
  expect(project.texts["handlers/index.ts"]).toBe(`import type { Handlers } from "@pets/server";
import { petsHandlers } from "./pets.js";
import { ownersHandlers } from "./owners.js";

/** The handlers of all operations. */
export const handlers: Handlers = {
  ...petsHandlers,
  ...ownersHandlers,
};
`);
  expect(project.previous["getOwner"]).toEqual({
    route: "GET /owners/{id}",
    tag: "owners",
    stub: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
  expect(update(project, [list, create, owner])).toEqual(project);
});

test("a new operation is added at the end, in the style of the file", () => {
  const written = `import type { Handlers } from "@pets/server"\r
\r
// Ours.\r
export const petsHandlers = {\r
\tasync listPets({ query }) { return { status: 200, body: [] } } // all\r
} satisfies Pick<Handlers, 'listPets'>\r
`;
  const project = update(projectWith({ "handlers/pets.ts": written }, [list]), [list, create]);
  expect(project.texts["handlers/pets.ts"]).toBe(`import type { Handlers } from "@pets/server"\r
import { NotImplementedError } from "@pets/server";\r
\r
// Ours.\r
export const petsHandlers = {\r
\tasync listPets({ query }) { return { status: 200, body: [] } }, // all\r
\r
\t/** POST /pets */\r
\tcreatePet: () => {\r
\t\t// Next: return a response.\r
\t\tthrow new NotImplementedError("createPet");\r
\t},\r
} satisfies Pick<Handlers, 'listPets' | "createPet">\r
`);
  expect(update(project, [list, create])).toEqual(project);
});

test("a long list of names has a line for each, and no line ends with a space", () => {
  const many = Array.from({ length: 9 }, (_, index) => `listManyPetsOfOneKind${index} GET /pets/${index} pets`);
  const text = update(emptyProject, many).texts["handlers/pets.ts"] ?? "";
  expect(text).toContain('} satisfies Pick<Handlers,\n  | "listManyPetsOfOneKind0"\n');
  expect(text).not.toMatch(/[ \t]$/m);
});

test("a new tag gets a file, which the index imports", () => {
  const index = `import type { Handlers } from "@pets/server";
import { petsHandlers } from "./pets.js";
export const handlers: Handlers = { ...petsHandlers };
`;
  const project = update(projectWith({ "handlers/index.ts": index }, [list]), [list, owner]);
  expect(project.texts["handlers/index.ts"]).toBe(`import type { Handlers } from "@pets/server";
import { petsHandlers } from "./pets.js";
import { ownersHandlers } from "./owners.js";
export const handlers: Handlers = { ...petsHandlers,

  ...ownersHandlers,
};
`);
  expect(Object.keys(project.texts)).toContain("handlers/owners.ts");
});

test("a renamed operation keeps its body, and what refers to it by name follows", () => {
  const written = `import type { Handlers, ListPetsHandlerInput, ListPetsResponse as All } from "@pets/server";

const all: Handlers["listPets"] = async (input: ListPetsHandlerInput): Promise<All> => read(input);

export const petsHandlers: Pick<Handlers, "listPets"> = {
  listPets: all,
};

export const first = () => petsHandlers.listPets;
`;
  const project = projectWith({ "handlers/pets.ts": written }, [list]);
  const renamed = update(project, ["findPets GET /pets pets"]);
  expect(renamed.texts["handlers/pets.ts"])
    .toBe(`import type { Handlers, FindPetsHandlerInput as ListPetsHandlerInput, FindPetsResponse as All } from "@pets/server";

const all: Handlers["findPets"] = async (input: ListPetsHandlerInput): Promise<All> => read(input);

export const petsHandlers: Pick<Handlers, "findPets"> = {
  findPets: all,
};

export const first = () => petsHandlers.findPets;
`);
  expect(renamed.issues).toEqual([]);
  // An operation that only moves keeps its handler as it is.
  expect(update(renamed, ["findPets GET /animals pets"]).texts).toEqual(renamed.texts);
});

test.each([
  ["a stub follows the description", pets.replace("GET /pets */", "Lists pets. GET /v2/pets */"), pets],
  [
    "a comment that a person has changed stays",
    pets.replace("GET /pets */", "GET /pets. Mind the cats. */"),
    pets.replace("GET /pets */", "GET /pets. Mind the cats. */"),
  ],
])("%s", (_, expected, written) => {
  const project = projectWith({ "handlers/pets.ts": written }, [list, create]);
  const changed = update(project, ["listPets GET /v2/pets pets Lists pets.", create]);
  expect(changed.texts["handlers/pets.ts"]).toBe(expected);
});

const written = `import { type Handlers, NotImplementedError } from "@pets/server";
import { readFile, type Stats } from "node:fs";
import { rows } from "../store.js";

/** Reads one. */
function load(id: number): Stats {
  return readFile(id) ?? rows[id];
}

const other = 1;

export const petsHandlers = {
  // Mine.
  listPets: async ({ query }) => {
    const text = \`
      // inside
    \${load(query.id)}\`;

    return { status: 200, body: [text, other, rows] };
  }, // listed

  /** POST /pets */
  createPet: () => {
    // Next: return a response.
    throw new NotImplementedError("createPet");
  },

  // Of another.
  updatePet: async () => ({ status: 200, body: [other, rows] }),
} satisfies Pick<Handlers, "listPets" | "createPet" | "updatePet">;
`;
const change = "updatePet PATCH /pets pets";

test("the handler of a removed operation becomes a comment, and comes back with the operation", () => {
  const project = projectWith({ "handlers/pets.ts": written }, [list, create, change]);
  const removed = update(project, [create, change]);
  expect(removed.texts["handlers/pets.ts"]).toBe(`import { type Handlers, NotImplementedError } from "@pets/server";
// No longer in the description: GET /pets (listPets)
// import { readFile, type Stats } from "node:fs";

import { rows } from "../store.js";

// No longer in the description: GET /pets (listPets)
// /** Reads one. */
// function load(id: number): Stats {
//   return readFile(id) ?? rows[id];
// }

const other = 1;

export const petsHandlers = {
  // No longer in the description: GET /pets (listPets)
  // // Mine.
  // listPets: async ({ query }) => {
  //   const text = \`
  //     // inside
  //   \${load(query.id)}\`;
//
  //   return { status: 200, body: [text, other, rows] };
  // }, // listed

  /** POST /pets */
  createPet: () => {
    // Next: return a response.
    throw new NotImplementedError("createPet");
  },

  // Of another.
  updatePet: async () => ({ status: 200, body: [other, rows] }),
} satisfies Pick<Handlers, "createPet" | "updatePet">;
`);
  expect(update(removed, [create, change])).toEqual(removed);
  const restored = update(removed, [list, create, change]);
  expect(restored.texts["handlers/pets.ts"]).toBe(
    written
      .replace('"listPets" | "createPet" | "updatePet"', '"createPet" | "updatePet" | "listPets"')
      .replace('"node:fs";\n', '"node:fs";\n\n'),
  );
});

test("the stub of a removed operation is deleted with its import", () => {
  const project = projectWith({ "handlers/pets.ts": written }, [list, create, change]);
  expect(update(project, [list, change]).texts["handlers/pets.ts"]).toBe(
    written
      .replace(", NotImplementedError", "")
      .replace(/ {2}\/\*\* POST[^]*?\n {2}\},\n\n/, "")
      .replace('"createPet" | ', ""),
  );
});

test("a handler moves to the file of its new tag with the code that it alone uses", () => {
  const project = projectWith({ "handlers/pets.ts": written }, [list, create, change]);
  const moved = update(project, ["listPets GET /pets animals", create, change]);
  expect(moved.texts["handlers/animals.ts"]).toBe(`import { type Handlers } from "@pets/server";
import { readFile, type Stats } from "node:fs";
import { rows } from "../store.js";
import { other } from "./pets.js";

/** Reads one. */
function load(id: number): Stats {
  return readFile(id) ?? rows[id];
}

export const animalsHandlers = {
  // Mine.
  listPets: async ({ query }) => {
    const text = \`
      // inside
    \${load(query.id)}\`;

    return { status: 200, body: [text, other, rows] };
  }, // listed
} satisfies Pick<Handlers, "listPets">;
`);
  expect(moved.texts["handlers/pets.ts"]).toBe(`import { type Handlers, NotImplementedError } from "@pets/server";
import { rows } from "../store.js";

const other = 1;

export const petsHandlers = {
  /** POST /pets */
  createPet: () => {
    // Next: return a response.
    throw new NotImplementedError("createPet");
  },

  // Of another.
  updatePet: async () => ({ status: 200, body: [other, rows] }),
} satisfies Pick<Handlers, "createPet" | "updatePet">;

export { other };
`);
  expect(moved.texts["handlers/index.ts"]).toContain("  ...animalsHandlers,\n");
});

test("a handler stays where a move would change what a name means, and is reported once", () => {
  const animals = `import type { Handlers } from "@pets/server";
const load = 1;
export const animalsHandlers = { getAnimal: () => ({ status: 200, body: load }) } satisfies Pick<Handlers, "getAnimal">;
`;
  const get = "getAnimal GET /animals animals";
  const project = projectWith({ "handlers/pets.ts": written, "handlers/animals.ts": animals }, [
    list,
    create,
    change,
    get,
  ]);
  const same = update(project, ["listPets GET /pets animals", create, change, get]);
  expect(same.issues).toEqual([
    "handlers/pets.ts:14:3 The handler `listPets` now has the tag of handlers/animals.ts, and `load` has another meaning there. Move it, or leave it here: both work.",
  ]);
  expect(same.texts).toEqual(project.texts);
  expect(update(same, ["listPets GET /pets animals", create, change, get]).issues).toEqual([]);
});

test("a class gets a property with a type", () => {
  const classes = `import type { Handlers } from "@pets/server";

class Pets implements Pick<Handlers, "listPets"> {
  @logged
  readonly listPets: Handlers["listPets"] = async () => this.all();
}

export const petsHandlers = new Pets();
`;
  const project = update(projectWith({ "handlers/pets.ts": classes }, [list]), [list, create]);
  expect(project.texts["handlers/pets.ts"]).toBe(`import type { Handlers } from "@pets/server";
import { NotImplementedError } from "@pets/server";

class Pets implements Pick<Handlers, "listPets" | "createPet"> {
  @logged
  readonly listPets: Handlers["listPets"] = async () => this.all();

  /** POST /pets */
  createPet: Handlers["createPet"] = () => {
    // Next: return a response.
    throw new NotImplementedError("createPet");
  };
}

export const petsHandlers = new Pets();
`);
  // It is a stub as well: its comment follows the description.
  expect(update(project, [list, `${create} Adds.`]).texts["handlers/pets.ts"]).toContain("/** Adds. POST /pets */");
});

test.each([
  [
    "an own helper for types",
    'import type { Own } from "../own.js";\nexport const petsHandlers: Own<"listPets"> = {',
    '"listPets" | "createPet"',
  ],
  [
    "an alias of the names",
    'type Names = "listPets";\nexport const petsHandlers: Pick<Handlers, Names> = {',
    'type Names = "listPets" | "createPet"',
  ],
  [
    "a list with a line for each name",
    'export const petsHandlers: Pick<\n  Handlers,\n  | "listPets"\n> = {',
    '| "listPets"\n  | "createPet"\n>',
  ],
])("names are added to %s", (_, head, expected) => {
  const project = projectWith({ "handlers/pets.ts": `${head}\n  listPets: all,\n};\n` }, [list]);
  expect(update(project, [list, create]).texts["handlers/pets.ts"]).toContain(expected);
});

test("handlers are found behind re-exports and in one object for all", () => {
  const behind = {
    "handlers/pets.ts": 'export { petsHandlers } from "../pets.js";\n',
    "pets.ts": pets.replace('"@pets/server"', '"@pets/server"'),
  };
  const project = projectWith(behind, [list, create]);
  expect(update(project, [list, create])).toEqual(project);
  expect(update(project, [list, create, change]).texts["pets.ts"]).toContain('"createPet" | "updatePet"');
  const one = `import type { Handlers } from "@pets/server";
export const handlers: Handlers = {
  listPets: () => ({ status: 200 }),
};
`;
  const { previous } = project;
  const all = { texts: { "handlers/index.ts": one }, previous, issues: [] };
  expect(Object.keys(update(all, [list, create]).texts)).toEqual(["handlers/index.ts"]);
});

test("handlers that a function creates are found, and do not move", () => {
  const functions = `import type { Handlers } from "@pets/server";

export function createPets(rows: Rows): Pick<Handlers, "listPets"> {
  return { listPets: async () => rows.all() };
}

export default { getOwner: async () => 1 } satisfies Pick<Handlers, "getOwner">;
`;
  const single = "getOwner GET /owners/{id} pets";
  const project = update(projectWith({ "handlers/pets.ts": functions }, [list, single]), [list, single, create]);
  expect(project.texts["handlers/pets.ts"]).toBe(`import type { Handlers } from "@pets/server";
import { NotImplementedError } from "@pets/server";

export function createPets(rows: Rows): Pick<Handlers, "listPets" | "createPet"> {
  return { listPets: async () => rows.all(),

    /** POST /pets */
    createPet: () => {
      // Next: return a response.
      throw new NotImplementedError("createPet");
    },
  };
}

export default { getOwner: async () => 1 } satisfies Pick<Handlers, "getOwner">;
`);
  const moved = update(project, ["listPets GET /pets animals", single, create]);
  expect(moved.issues).toEqual([
    "handlers/pets.ts:5:12 The handler `listPets` now has the tag of handlers/animals.ts, and it stands in a function, whose variables it may use. Move it, or leave it here: both work.",
  ]);
  expect(moved.texts).toEqual(project.texts);
});

test("a byte order mark stays first", () => {
  const marked = `\uFEFFexport const petsHandlers: Own<"listPets"> = {\n  listPets: all,\n};\n`;
  const project = update(projectWith({ "handlers/pets.ts": marked }, [list]), [list, create]);
  expect(project.texts["handlers/pets.ts"]).toMatch(/^\uFEFFimport \{ NotImplementedError \} from "@pets\/server";\n/);
});

test("what the tool does not know is reported, and stays", () => {
  const unknown = { "handlers/pets.ts": 'export { petsHandlers } from "@acme/pets";\n' };
  const project = projectWith(unknown, [list]);
  const same = update(project, [list, create]);
  expect(same.texts["handlers/pets.ts"]).toBe(unknown["handlers/pets.ts"]);
  expect(same.issues).toEqual([
    "handlers/pets.ts:1:1 The handlers `listPets`, `createPet` are missing, and this file composes its handlers in another way. Add them.",
  ]);
});

test.each([
  [
    "does not parse",
    "export const petsHandlers = {",
    "handlers/pets.ts:1:30 '}' expected. Correct the syntax, and run the command again.",
  ],
  [
    "has the markers of a conflict",
    `const a = 1;\n${"<".repeat(7)} ours\n${"=".repeat(7)}\n${">".repeat(7)} theirs\n`,
    "handlers/pets.ts:2:1 Merge conflict marker encountered. Resolve the merge conflict, and run the command again.",
  ],
])("a file that %s is rejected", (_, text, expected) => {
  const project = projectWith({ "handlers/pets.ts": text }, [list]);
  const issues = (): readonly string[] => {
    try {
      return update(project, [list, create]).issues;
    } catch (error) {
      if (!(error instanceof HandlerSyntaxError)) throw error;
      return error.issues.map(({ path, line, column, message, fix }) => `${path}:${line}:${column} ${message} ${fix}`);
    }
  };
  expect(issues()).toEqual([expected]);
});
