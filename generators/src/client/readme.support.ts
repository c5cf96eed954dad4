import { testGenerator } from "@plumbline/kit/codegen/testing";
import clientGenerator from "./index.js";

/** Returns the files of the client of a description, by path. */
export async function generateClient(description: string): Promise<Readonly<Record<string, string>>> {
  return testGenerator(clientGenerator, { description, package: "@pets/client" });
}
