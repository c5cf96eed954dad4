import { defineGenerator, type GeneratedFile, type Generator } from "@plumbline/kit/codegen";
import { loadCodemods } from "./codemods.js";
import { handlerLayout } from "./layout.js";
import { handlerOperations } from "./operations.js";
import { readOutput, stateFile, toDiagnostic, type HandlerInput } from "./output.js";
import { serverFileText } from "./server-file.js";
import { serverPackage, updateFiles } from "./update.js";

const options = {
  files: {
    type: "string",
    default: "src/handlers/{tag}.ts",
    description: "The paths of the files with handlers, in the folder `out`. `{tag}` is the tag of an operation",
  },
  index: {
    type: "string",
    description: "The path of the file that puts the handlers together. Default: `index.ts` in the folder of `files`",
  },
  server: {
    type: "string",
    description:
      "The package of the generated server. Default: the name of this package, with server in the place of handlers",
  },
  adapter: {
    type: "string",
    enum: ["node", "express", "fastify", "hono", "fetch"],
    default: "node",
    description: "The kind of server for which the first run writes a file to start from",
  },
} as const;

/** Generates a stub for each operation into files that people own, and keeps the handlers in step with the description. */
const handlersGenerator: Generator<typeof options, HandlerInput> = defineGenerator({
  options,
  read: async (api, { config, output }) => {
    const layout = handlerLayout(config);
    return readOutput(output, layout, handlerOperations(api, layout));
  },
  files: async (api, { config, package: name, input }) => {
    const update = await updateFiles(api, { config, package: name, input });
    const { relativeModule } = await loadCodemods();
    const { index, start } = handlerLayout(config);
    const files: GeneratedFile[] = [...update.files];
    // A project with handlers has a server.
    if (input.state === undefined && Object.keys(input.texts).length === 0) {
      const server = serverPackage(name, config.server);
      const text = serverFileText({ adapter: config.adapter, server, handlers: relativeModule(start, index) });
      files.push({ path: start, original: null, text });
    }
    return [...files, stateFile(update.handlers)];
  },
  warnings: async (api, { config, package: name, input }) => {
    const { issues } = await updateFiles(api, { config, package: name, input });
    return issues.map((issue) => toDiagnostic(input, issue, "warning"));
  },
});

export default handlersGenerator;
