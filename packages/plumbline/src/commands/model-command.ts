import { defineCommand, descriptionOptions, readAllOrThrow, type PlumblineCommand } from "./command.js";

export const modelCommand: PlumblineCommand = defineCommand({
  text: "Prints the model of the description as JSON: with final names, resolved references, and the position of each node.",
  options: descriptionOptions,
  examples: ["plumbline model | jq '.operations[].name'", "plumbline model openapi.yaml --overlay limits.overlay.yaml"],
  run: async (values, io) => {
    const [read] = await readAllOrThrow(values, io);
    io.stdout.write(`${JSON.stringify(read?.api, undefined, 2)}\n`);
    return 0;
  },
});
