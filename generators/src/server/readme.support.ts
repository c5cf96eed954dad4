import { testGenerator } from "@plumbline/kit/codegen/testing";
import serverGenerator from "./index.js";

/** Returns the files of the server of a description, by path. */
export async function generateServer(description: string): Promise<Readonly<Record<string, string>>> {
  return testGenerator(serverGenerator, { description, package: "@pets/server" });
}
