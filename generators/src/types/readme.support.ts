import { testGenerator } from "@plumbline/kit/codegen/testing";
import typesGenerator from "./index.js";

/** Returns the files of the types of a description, by path. */
export async function generateTypes(description: string): Promise<Readonly<Record<string, string>>> {
  return testGenerator(typesGenerator, { description, package: "@pets/types" });
}
