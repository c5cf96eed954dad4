import {
  code,
  defineGenerator,
  docComment,
  type Generator,
  identifier,
  jsonLiteral,
  printSourceFile,
} from "./index.js";

/** Generates a module with a constant for each path. Names, literals and comments of the description cannot become code. */
export const pathsGenerator: Generator = defineGenerator({
  files: (api) => {
    const constants = api.operations.map(
      ({ name, path, summary }) =>
        code`${docComment([summary ?? name])}\nexport const ${identifier(name)} = ${jsonLiteral(path)};`,
    );
    return [{ path: "src/paths.ts", text: printSourceFile(constants) }];
  },
});
