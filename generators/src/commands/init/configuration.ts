/** What a plumbline.yaml is made of. */
export interface Configuration {
  /** As seen from the file, with forward slashes. */
  readonly description: string;
  /** `@name`. */
  readonly scope: string;
  readonly artifacts: readonly string[];
}

/** The text of a plumbline.yaml in the folder `spec`, for a description of whoever asks. */
export function configurationText({ description, scope, artifacts }: Configuration): string {
  const lines = artifacts.map((kind) => `      ${kind}: {package: '${scope}/${kind}', out: ../packages/${kind}}`);
  return `# What \`plumbline generate\` makes of which description. Paths are seen from this file.
# foreign: only what nothing can be generated from is an error. With owner, all rules of the linter hold.
profile: foreign
descriptions:
  - description: ${scalar(description)}
    # What a description lacks, overlays add without touching it:
    # overlays: [limits.overlay.yaml] # beside this file
    artifacts: # each a package; \`private: true\` keeps one from being published
${lines.join("\n")}
`;
}

/** A text as YAML: as it is where nothing in it could mean anything else. */
function scalar(text: string): string {
  return /^[\w./-]*[a-z]$/i.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "''")}'`;
}
