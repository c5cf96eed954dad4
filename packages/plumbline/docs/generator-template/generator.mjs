// @ts-check
import { defineGenerator, escapeProse, groupByTagFile } from "@plumbline/kit/codegen";

/** @import { Operation } from "@plumbline/kit/model" */

/** A page with all operations, by tag. */
export default defineGenerator({
  options: {
    heading: { type: "string", default: "Routes", description: "The first line of the page" },
  },
  files(api, { config }) {
    const sections = [...groupByTagFile(api.operations).values()].map(printTag);
    return [{ path: "routes.md", text: `# ${config.heading} of ${escapeProse(api.title)}\n\n${sections.join("\n")}` }];
  },
});

/** @param {readonly Operation[]} operations */
function printTag(operations) {
  const lines = operations.map(
    ({ method, path, summary, name }) => `- \`${method} ${path}\`: ${escapeProse(summary ?? name)}\n`,
  );
  return `## ${escapeProse(operations[0]?.tag ?? "")}\n\n${lines.join("")}`;
}
