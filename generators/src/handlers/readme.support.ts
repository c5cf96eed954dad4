import { testGenerator } from "@plumbline/kit/codegen/testing";
import handlersGenerator from "./index.js";

/** Returns the files with handlers of a description, by path. `output` has the existing files. */
export async function generateHandlers(
  description: string,
  output: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  return testGenerator(handlersGenerator, { description, output, config: { server: "@pets/server" } });
}
