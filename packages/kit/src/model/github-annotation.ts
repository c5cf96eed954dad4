/** A message at a line of a pull request. */
export interface GithubAnnotation {
  readonly level: "error" | "warning" | "notice";
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly title: string;
  readonly message: string;
}

/** Formats an annotation as GitHub reads it from the output of a job. */
export function formatGithubAnnotation({ level, file, line, column, title, message }: GithubAnnotation): string {
  return `::${level} file=${escapeProperty(file)},line=${line},col=${column},title=${escapeProperty(title)}::${escapeMessage(message)}`;
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
