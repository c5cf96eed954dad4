import { testGenerator } from "@plumbline/kit/codegen/testing";
import descriptionGenerator from "./index.js";

/** Returns the files of the package of a description, by path. */
export async function generateDescription(description: string): Promise<Readonly<Record<string, string>>> {
  return testGenerator(descriptionGenerator, { description, package: "@pets/description" });
}
