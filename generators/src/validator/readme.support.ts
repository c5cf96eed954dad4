import { testGenerator } from "@plumbline/kit/codegen/testing";
import validatorGenerator from "./index.js";

/** Returns the files of the validator of a description, by path. */
export async function generateValidator(description: string): Promise<Readonly<Record<string, string>>> {
  return testGenerator(validatorGenerator, { description, package: "@pets/validator" });
}
