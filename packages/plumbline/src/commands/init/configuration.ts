/** The values of a plumbline.yaml. */
export interface Configuration {
  /** The path relative to the file, with forward slashes. */
  readonly description: string;
  /** `@name`. */
  readonly scope: string;
  readonly artifacts: readonly string[];
  /** The server that handlers start from. */
  readonly adapter: string;
  /** The URL that the description comes from. */
  readonly source?: string;
}

/** The servers that handlers can start from. */
export const adapterNames = ["node", "express", "fastify", "hono", "fetch"] as const;

/** Formats a plumbline.yaml for the folder `spec`. */
export function configurationText({ description, scope, artifacts, adapter, source }: Configuration): string {
  const lines = artifacts.map((kind) =>
    kind === "handlers"
      ? `      handlers: {server: '${scope}/server', out: .., adapter: ${adapter}} # your own code, in src/handlers`
      : `      ${kind}: {package: '${scope}/${kind}', out: ../packages/${kind}}`,
  );
  return `# yaml-language-server: $schema=../node_modules/plumbline/plumbline.schema.json
# The packages that \`plumbline generate\` writes for each description. Paths are relative to this file.
# minimal: only problems that prevent generation are errors. strict: all rules of the linter apply.
ruleset: minimal
descriptions:
${source === undefined ? "" : `  # \`plumbline init\` fetched this description once from ${source}\n`}  - description: ${scalar(description)}
    # Overlays extend a description without changing its file:
    # overlays: [limits.overlay.yaml] # beside this file
    artifacts: # one package each; \`private: true\` prevents publication
${lines.join("\n")}
`;
}

/** Formats a text as YAML, with quotes where necessary. */
function scalar(text: string): string {
  return /^[\w./-]*[a-z]$/i.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "''")}'`;
}
