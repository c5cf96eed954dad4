import { DiagnosticsError } from "@plumbline/kit/model";

/** Where handlers are, relative to the folder of the artifact. */
export interface HandlerLayout {
  /** Returns the path of the file for a tag. */
  readonly fileOf: (tag: string) => string;
  readonly index: string;
  /** The file that starts a server. */
  readonly start: string;
}

/**
 * Reads the layout of files from the options of the artifact.
 *
 * @throws DiagnosticsError for a pattern without `{tag}`, and for paths that leave the folder.
 */
export function handlerLayout({
  files,
  index,
}: {
  readonly files: string;
  readonly index: string | undefined;
}): HandlerLayout {
  const segments = files.split("/");
  const first = segments.findIndex((segment) => segment.includes("{tag}"));
  if (first < 0) throw optionError("files", "has no {tag}", "Write a path such as src/handlers/{tag}.ts.");
  for (const [option, path] of [
    ["files", files.replaceAll("{tag}", "tag")],
    ["index", index ?? "index.ts"],
  ] as const)
    if (!isSourcePath(path))
      throw optionError(
        option,
        "is not the path of a TypeScript file in the folder `out`",
        "Write a relative path that ends in .ts.",
      );
  const folder = segments.slice(0, first);
  const isFlat = first === segments.length - 1;
  const pathIn = (parents: readonly string[], name: string): string => [...parents, name].join("/");
  return {
    fileOf: (tag) => files.replaceAll("{tag}", tag),
    index: index ?? pathIn(folder, "index.ts"),
    start: pathIn(isFlat ? folder.slice(0, -1) : folder, "server.ts"),
  };
}

function isSourcePath(path: string): boolean {
  return (
    /^(?:[\w.-]+\/)*[\w.-]+\.ts$/.test(path) && path.split("/").every((segment) => segment !== "." && segment !== "..")
  );
}

/** An error of an option of the artifact in plumbline.yaml. */
export function optionError(option: string, issue: string, fix: string): DiagnosticsError {
  const origin = { file: "plumbline.yaml", pointer: "", line: 1, column: 1 };
  const message = `The option \`handlers.${option}\` ${issue}.`;
  return new DiagnosticsError([{ code: "config/value", severity: "error", origin, message, fix }]);
}
