import { updateHandlers, type HandlerUpdate } from "./index.js";

/** Brings one file with handlers into step with an API of two operations. */
export function addPetHandlers(text: string): HandlerUpdate {
  const names = ["listPets", "createPet"] as const;
  return updateHandlers({
    operations: names.map((name) => ({
      name,
      route: name === "listPets" ? "GET /pets" : "POST /pets",
      tag: "pets",
      file: "handlers/pets.ts",
      object: "petsHandlers",
      stub: {
        comment: "/** Next: write it. */",
        key: name,
        value: `() => {\n  throw new NotImplementedError("${name}");\n}`,
      },
    })),
    previous: {},
    texts: { "handlers/pets.ts": text },
    fileOf: (tag) => `handlers/${tag}.ts`,
    index: "handlers/index.ts",
    server: "@pets/server",
    typeNames: () => [],
  });
}
