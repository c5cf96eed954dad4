import { ConversionError, decodeCopy, type Converter } from "./convert.js";

/** Where a converter adds issues: the list of a server's validation. */
export interface ConversionIssues {
  push(issue: { readonly path: string[]; readonly code: "format"; readonly first: "date-time" }): unknown;
}

/** Creates a function that converts valid input of a server. It copies what it changes, and adds an issue for a text that is no date. */
export function convertedInput(converter: Converter): (value: unknown, issues: ConversionIssues) => unknown {
  return (value, issues) => {
    try {
      return decodeCopy(converter, value);
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      const path = error.pointer.split("/").slice(1);
      issues.push({ path: path.map(unescapeToken), code: "format", first: "date-time" });
      return undefined;
    }
  };
}

/** The name that a token of a JSON pointer stands for. */
function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
