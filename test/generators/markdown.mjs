// @ts-check
import { defineGenerator, escapeProse, groupByTagFile } from "@plumbline/kit/codegen";
import { sampleSchema } from "@plumbline/kit/codegen/values";
import { preferredContent, schemaParts } from "@plumbline/kit/model";

/** @import { Api, Operation, Schema } from "@plumbline/kit/model" */

/** Markdown: a page per tag with its operations, and an index. */
export default defineGenerator({
  options: {
    examples: { type: "boolean", default: true, description: "Whether operations have an example of their body" },
  },
  files(api, { config }) {
    const pages = [...groupByTagFile(api.operations)];
    const links = pages.map(([file, operations]) => `- [${tagOf(operations)}](${file}.md): ${operations.length}\n`);
    return [
      { path: "index.md", text: `# ${escapeProse(api.title)} ${api.version}\n\n${links.join("")}` },
      ...pages.map(([file, operations]) => ({ path: `${file}.md`, text: pageOf(operations, api, config) })),
    ];
  },
});

/** @param {readonly Operation[]} operations */
function tagOf(operations) {
  return escapeProse(operations[0]?.tag ?? "");
}

/** @param {readonly Operation[]} operations @param {Api} api @param {{ readonly examples: boolean }} config */
function pageOf(operations, api, { examples }) {
  const about = api.tags.find(({ name }) => name === operations[0]?.tag)?.description;
  const sections = operations.map((operation) => [
    `## ${escapeProse(operation.summary ?? operation.name)}`,
    `\`${operation.method} ${operation.path}\`${operation.deprecated ? " (deprecated)" : ""}`,
    operation.description,
    parameterTable(operation, api),
    examples ? exampleBody(operation, api) : undefined,
    responseTable(operation, api),
  ]);
  const parts = [`# ${tagOf(operations)}`, about, ...sections.flat()];
  return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`;
}

/** @param {Operation} operation @param {Api} api */
function parameterTable({ parameters }, api) {
  const rows = parameters.map(({ name, in: location, required, schema, description }) =>
    rowOf(`\`${name}\``, location, typeOf(schema, api), required ? "yes" : "no", description ?? ""),
  );
  return rows.length === 0 ? undefined : tableOf(["parameter", "in", "type", "required", "description"], rows);
}

/** @param {Operation} operation @param {Api} api */
function exampleBody({ requestBody }, api) {
  const content = preferredContent(requestBody?.contents ?? []);
  if (content === undefined) return undefined;
  if (content.mediaType !== "application/json") return `Body: \`${content.mediaType}\``;
  const example = content.example ?? sampleSchema(api, content.schema).value;
  return `\`\`\`json\n${JSON.stringify(example, undefined, 2)}\n\`\`\``;
}

/** @param {Operation} operation @param {Api} api */
function responseTable({ responses }, api) {
  const rows = responses.map(({ status, description, contents }) => {
    const content = preferredContent(contents);
    return rowOf(String(status), content === undefined ? "" : typeOf(content.schema, api), description);
  });
  return tableOf(["status", "body", "description"], rows);
}

/** @param {Schema} schema @param {Api} api @returns {string} */
function typeOf(schema, api) {
  if (schema.ref !== undefined) return schema.ref;
  const types = schemaParts(api, schema).flatMap((part) => part.types);
  const names = [...new Set(types)].join(" or ") || "any";
  return schema.items === undefined ? names : `${names} of ${typeOf(schema.items, api)}`;
}

/** @param {readonly string[]} heads @param {readonly string[]} rows */
function tableOf(heads, rows) {
  return [rowOf(...heads), rowOf(...heads.map(() => "---")), ...rows].join("\n");
}

/** @param {readonly string[]} cells */
function rowOf(...cells) {
  return `| ${cells.map((cell) => escapeProse(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}
