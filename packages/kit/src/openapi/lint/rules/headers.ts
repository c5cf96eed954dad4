import { headerRoles } from "../../../model/index.js";
import type { LintRule } from "../rule.js";

/** A header has one role, and some response documents it. */
export const headersRule: LintRule<"headers/duplicate" | "headers/undocumented"> = {
  codes: {
    "headers/duplicate": ["error", "warning", "A header has two roles."],
    "headers/undocumented": ["error", "off", "No response documents a header with a role."],
  },
  *check(index) {
    const documented = new Set(
      index.operations.flatMap(({ responses }) =>
        responses.flatMap(
          ({ spot }) =>
            spot
              .get("headers")
              ?.entries()
              .map(([name]) => name.toLowerCase()) ?? [],
        ),
      ),
    );
    for (const { node } of index.byField("x-headers")) {
      const roles = new Map<string, string>();
      for (const role of headerRoles) {
        const name = node.text(role);
        if (name === undefined) continue;
        const other = roles.get(name.toLowerCase());
        roles.set(name.toLowerCase(), role);
        if (other !== undefined)
          yield {
            code: "headers/duplicate",
            at: node.at([role]),
            message: `"${name}" is ${other} already.`,
            fix: "Name another header, or remove one of the roles.",
          };
        else if (!documented.has(name.toLowerCase()))
          yield {
            code: "headers/undocumented",
            at: node.at([role]),
            message: `No response documents "${name}".`,
            fix: "Add it to the headers of the responses, such as to those of x-defaults, or correct its name.",
          };
      }
    }
  },
};
