import type { ImportExtension } from "../../config/config.js";

/** The description in a plumbline.yaml. */
export interface DescriptionEntry {
  /** The path relative to the file, with forward slashes. */
  readonly description: string;
  /** The URL that the description comes from. */
  readonly source?: string;
}

/** The values of a plumbline.yaml for packages. */
export interface Configuration extends DescriptionEntry {
  /** `@name`. */
  readonly scope: string;
  readonly artifacts: readonly string[];
  /** The server that handlers start from. */
  readonly adapter: string;
}

/** The values of a plumbline.yaml for artifacts in the sources of an application. */
export interface SourcesConfiguration extends DescriptionEntry {
  /** The folder of each artifact, relative to the application, with forward slashes. */
  readonly sources: ReadonlyMap<string, string>;
  readonly importExtension: ImportExtension;
}

/** The servers that handlers can start from. */
export const adapterNames = ["node", "express", "fastify", "hono", "fetch"] as const;

/** Formats a plumbline.yaml for the folder `spec`. */
export function configurationText({ scope, artifacts, adapter, ...described }: Configuration): string {
  const lines = artifacts.map((kind) =>
    kind === "handlers"
      ? `      handlers: {server: '${scope}/server', out: .., adapter: ${adapter}} # your own code, in src/handlers`
      : `      ${kind}: {package: '${scope}/${kind}', out: ../packages/${kind}}`,
  );
  return fileText(described, {
    nodeModules: "../node_modules",
    files: "packages",
    artifacts: ` # one package each; \`private: true\` prevents publication\n${lines.join("\n")}`,
  });
}

/** Formats a plumbline.yaml for the top folder of an application. */
export function sourcesConfigurationText({ sources, importExtension, ...described }: SourcesConfiguration): string {
  const extension = importExtension === "js" ? "" : `, importExtension: ${importExtension}`;
  return fileText(described, {
    nodeModules: "./node_modules",
    files: "files",
    artifacts: [...sources].map(([kind, out]) => `\n      ${kind}: {sources: ${scalar(out)}${extension}}`).join(""),
  });
}

interface ConfigurationParts {
  /** The path of the installed packages, relative to the file. */
  readonly nodeModules: string;
  /** What the artifacts are. */
  readonly files: "packages" | "files";
  /** The text after `artifacts:`. */
  readonly artifacts: string;
}

function fileText(
  { description, source }: DescriptionEntry,
  { nodeModules, files, artifacts }: ConfigurationParts,
): string {
  return `# yaml-language-server: $schema=${nodeModules}/plumbline/plumbline.schema.json
# The ${files} that \`plumbline generate\` writes for each description. Paths are relative to this file.
# minimal: only problems that prevent generation are errors. strict: all rules of the linter apply.
ruleset: minimal
descriptions:
${source === undefined ? "" : `  # \`plumbline init\` fetched this description once from ${source}\n`}  - description: ${scalar(description)}
    # Overlays extend a description without changing its file:
    # overlays: [limits.overlay.yaml] # beside this file
    artifacts:${artifacts}
`;
}

/** Formats a text as YAML, with quotes where necessary. */
function scalar(text: string): string {
  return /^[\w./-]*[a-z]$/i.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "''")}'`;
}
